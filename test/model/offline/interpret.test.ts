import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { common, components, reply, type Tag } from "./kit.ts";

const options = ["One reviewer decides", "Two people have to agree", "Yes"];

async function read(
  text: string,
  change: {
    tag?: Tag;
    purpose?: "round" | "topology";
    explain?: boolean;
    picked?: readonly string[];
    components?: typeof components;
  } = {},
) {
  const { tag = "en", purpose = "round", explain = false, picked = [] } = change;
  return reply("interpret", {
    ...common(tag),
    purpose,
    question: "Who decides in Review UI, and who only looks?",
    options,
    text,
    picked,
    components: change.components ?? components,
    explain,
  });
}

describe("what kind of reply typed words are", () => {
  it.each([
    "A task has two states: open and done",
    "Create a seed file",
    "Use Next.js and skip SSR",
    "the button should say Continue",
    "We stop when the queue is done",
    "Should users see it? Yes, they should.",
    "Yes",
    "approve",
    "👍",
    "Only managers decide; that's enough control for us.",
    "Cancel an order within 24 hours",
    "I don't know yet",
  ])("fault 14, fault 15: %s is an answer", async (text) => {
    expect((await read(text)).kind).toBe("answer");
  });

  it.each([
    ["What does option 2 mean?", 2],
    ["What does B mean?", 2],
    ["what is the difference between option 1 and the rest?", 1],
    ["What happens if I pick “Two people have to agree”?", 2],
  ])("fault 14, D4.1: %s asks about an option and is answered", async (text, number) => {
    const value = await read(text);
    expect(value.kind).toBe("explain");
    expect(value.explanation).toContain(options[number - 1] ?? "-");
    expect(value.explanation).toContain(`Option ${number}`);
  });

  it.each([
    "what do you mean by decides?",
    "Why do you ask this?",
    "Could you give me an example?",
    "I don't understand the question.",
    "Can you rephrase that?",
  ])("D4.1: %s asks about the question", async (text) => {
    const value = await read(text);
    expect(value.kind).toBe("explain");
    expect(value.explanation).toContain("Who decides in Review UI");
  });

  it("D4.2 takes the surface's word that an explanation is wanted", async () => {
    expect((await read("two people", { explain: true })).kind).toBe("explain");
  });

  it.each([
    ["I really don't care, you decide", "opt-out"],
    ["idk, you pick", "opt-out"],
    ["Hmm, your call please.", "opt-out"],
    ["That's enough, let's go", "finish"],
    ["please just build it", "finish"],
    ["skip the rest", "finish"],
  ] as const)("D4.1: %s is %s", async (text, kind) => {
    expect((await read(text)).kind).toBe(kind);
  });

  it.each([
    ["ko", "2번은 무슨 뜻인가요?", "explain"],
    ["ko", "왜 물어보시나요?", "explain"],
    ["ko", "저는 상관없어요, 알아서 해 주세요", "opt-out"],
    ["ko", "이 정도면 충분합니다, 만들어 주세요", "finish"],
    ["ko", "작업의 상태는 진행 중과 끝, 두 가지입니다", "answer"],
    ["ko", "버튼에는 ‘그만’이라고 적혀 있어야 합니다", "answer"],
    ["ja", "選択肢2はどういう意味ですか？", "explain"],
    ["ja", "なぜ聞くのですか？", "explain"],
    ["ja", "どちらでもいいです、お任せします", "opt-out"],
    ["ja", "もう十分です。作ってください。", "finish"],
    ["ja", "作業の状態は進行中と終わりの二つです", "answer"],
    ["ja", "はい", "answer"],
    ["es", "¿Qué significa la opción 2?", "explain"],
    ["es", "¿Por qué preguntas eso?", "explain"],
    ["es", "La verdad, me da igual, decide tú", "opt-out"],
    ["es", "Ya basta, adelante", "finish"],
    ["es", "Una tarea tiene dos estados: abierta y terminada", "answer"],
    ["es", "Solo Europa", "answer"],
  ] as const)("fault 14, D4.1 in %s: %s is %s", async (tag, text, kind) => {
    expect((await read(text, { tag })).kind).toBe(kind);
  });
});

describe("structuring an answer", () => {
  it("D4.3 puts every sentence into one place, verbatim", async () => {
    const value = await read(
      "We use Postgres because the rest does. It must never lose data. A mobile app is out of scope. Reviewers sign off.",
    );
    expect(value).toMatchObject({
      structured: true,
      decision: "We use Postgres; Reviewers sign off.",
      reasoning: ["because the rest does."],
      constraints: ["It must never lose data."],
      out_of_scope: ["A mobile app is out of scope."],
    });
  });

  it.each([
    [
      "ko",
      "Postgres를 씁니다. 데이터를 절대 잃으면 안 됩니다. 모바일 앱은 이번에는 제외합니다.",
      "절대 잃으면",
      "제외합니다",
    ],
    [
      "ja",
      "Postgresを使います。データは決して失ってはいけません。モバイルアプリは対象外です。",
      "決して失って",
      "対象外です",
    ],
    [
      "es",
      "Usamos Postgres. Nunca debe perder datos. La app móvil queda fuera de alcance.",
      "Nunca debe",
      "fuera de alcance",
    ],
  ] as const)("D4.3 in %s", async (tag, text, constraint, excluded) => {
    const value = await read(text, { tag });
    expect(value.structured).toBe(true);
    expect(value.constraints.join()).toContain(constraint);
    expect(value.out_of_scope.join()).toContain(excluded);
    expect(value.decision).toContain("Postgres");
  });

  it.each(["Yes", "Two reviewers", "At most 50 MB per file", "A reviewer opens the record and approves it."])(
    "D4.3 leaves a short answer alone: %s",
    async (text) => {
      expect(await read(text)).toMatchObject({ structured: false, decision: text });
    },
  );

  it("fault 18: the constraint at character 3,900 stays, byte for byte", async () => {
    const filler = "The clerk opens the folder and looks at the `list` of files with $(date) and a > b. ";
    const constraint = "A file over 50 MB must never be accepted.";
    const text = `${filler.repeat(48).slice(0, 3899)} ${constraint}`;
    const value = await read(text);
    expect(value.structured).toBe(true);
    expect(value.constraints.join("\n")).toContain(constraint);
    expect(value.decision).toContain("$(date)");
  });

  it("D4.3 loses no sentence, whatever was written", async () => {
    const sentence = fc.constantFrom(
      "Reviewers decide.",
      "It must be fast.",
      "No more than 5 files.",
      "Because of the law, we keep it.",
      "We do it since it is late.",
      "Print is out of scope.",
      "Line `a > b` stays.",
    );
    await fc.assert(
      fc.asyncProperty(fc.array(sentence, { minLength: 1, maxLength: 8 }), async (sentences) => {
        const value = await read(sentences.join(" "));
        const kept = [value.decision, ...value.reasoning, ...value.constraints, ...value.out_of_scope].join(" ");
        for (const word of sentences.join(" ").split(" ")) expect(kept).toContain(word.replace(/[.;]$/, ""));
      }),
    );
  });
});

describe("edits of the topology", () => {
  const edits = async (text: string, tag: Tag = "en") => (await read(text, { purpose: "topology", tag })).edits;

  it.each([
    ["add a billing export", [{ op: "add", name: "Billing export", description: "billing export" }]],
    ["remove 2", [{ op: "remove", component: "normalization" }]],
    ["Drop the review UI", [{ op: "remove", component: "review-ui" }]],
    [
      "merge Ingestion and Normalization",
      [{ op: "merge", components: ["ingestion", "normalization"], name: "", description: "" }],
    ],
    [
      "merge 1 and 2 into Intake",
      [{ op: "merge", components: ["ingestion", "normalization"], name: "Intake", description: "" }],
    ],
    [
      "split 3 into Comments and Approvals",
      [
        {
          op: "split",
          component: "review-ui",
          into: [
            { name: "Comments", description: "Comments" },
            { name: "Approvals", description: "Approvals" },
          ],
        },
      ],
    ],
    ["rename 2 to Cleaning", [{ op: "rename", component: "normalization", name: "Cleaning" }]],
    ["defer export for now", [{ op: "defer", component: "export", reason: "" }]],
    [
      "Looks right but defer Export because the auditors come next year",
      [{ op: "defer", component: "export", reason: "the auditors come next year" }],
    ],
    [
      "remove 2 and defer export",
      [
        { op: "remove", component: "normalization" },
        { op: "defer", component: "export", reason: "" },
      ],
    ],
    ["the third one can wait", [{ op: "defer", component: "review-ui", reason: "" }]],
    ["looks right", []],
    ["merge import and storage", []],
  ])("D2.2: %s", async (text, expected) => {
    expect(await edits(text)).toEqual(expected);
  });

  it.each([
    ["ko", "2번을 빼 주세요", [{ op: "remove", component: "normalization" }]],
    [
      "ko",
      "Ingestion과 Normalization을 합쳐 주세요",
      [{ op: "merge", components: ["ingestion", "normalization"], name: "", description: "" }],
    ],
    ["ko", "Export는 나중에 해 주세요", [{ op: "defer", component: "export", reason: "" }]],
    ["ko", "결제 알림을 추가해 주세요", [{ op: "add", name: "결제 알림", description: "결제 알림" }]],
    ["ja", "2を削除してください", [{ op: "remove", component: "normalization" }]],
    [
      "ja",
      "IngestionとNormalizationを統合してください",
      [{ op: "merge", components: ["ingestion", "normalization"], name: "", description: "" }],
    ],
    ["ja", "Exportは後回しにしてください", [{ op: "defer", component: "export", reason: "" }]],
    ["ja", "決済通知を追加してください", [{ op: "add", name: "決済通知", description: "決済通知" }]],
    ["es", "quita 2", [{ op: "remove", component: "normalization" }]],
    [
      "es",
      "fusiona Ingestion y Normalization",
      [{ op: "merge", components: ["ingestion", "normalization"], name: "", description: "" }],
    ],
    ["es", "aplaza Export por ahora", [{ op: "defer", component: "export", reason: "" }]],
    ["es", "añade avisos de pago", [{ op: "add", name: "Avisos de pago", description: "avisos de pago" }]],
  ] as const)("D2.2 in %s: %s", async (tag, text, expected) => {
    expect(await edits(text, tag)).toEqual(expected);
  });

  it.each([
    ["en", "Defer one or more components", "Export and 2, since nobody waits for them", ["normalization", "export"]],
    ["en", "Add, remove, merge or split components", "Export", []],
    ["es", "Aplazar uno o más componentes", "Export", ["export"]],
    ["ko", "하나 이상의 구성 요소를 보류", "Export", ["export"]],
    ["ja", "一つ以上の構成要素を後回しにする", "Export", ["export"]],
  ] as const)(
    "D2.2 in %s reads words beside a picked label by that label: %s / %s",
    async (tag, label, text, expected) => {
      const value = await read(text, { purpose: "topology", tag, picked: [label] });
      expect(value.edits.map((edit) => (edit.op === "defer" ? edit.component : edit.op))).toEqual(expected);
    },
  );

  it("D2.2 takes a deferral in a later reply only when it names a component", async () => {
    expect((await read("Let's leave Export for later because the auditors come next year")).edits).toEqual([
      { op: "defer", component: "export", reason: "the auditors come next year" },
    ]);
    expect((await read("We defer loading of images until scroll")).edits).toEqual([]);
    expect((await read("Remove duplicates and add a header row")).edits).toEqual([]);
  });
});
