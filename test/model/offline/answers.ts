/** Answers as people give them: concrete ones that have to count, for ideas they fit, in each language. */

export const pipeline =
  "Build an intake pipeline that ingests CSVs, normalizes records, provides a detailed reviewer UI with inline comments and approvals, and exports audit-ready reports";

/** One answer in full for every pair of the pipeline. */
export const pipelineAnswers: Readonly<Record<string, string>> = {
  "ingestion/goal":
    "An operations clerk drops a CSV into a watched folder, and within one minute the clerk sees how many rows were stored and which were refused.",
  "ingestion/constraints":
    "A file may hold at most 50 MB and 200,000 rows in UTF-8; anything larger is refused whole, and the original file is never changed.",
  "ingestion/criteria":
    "When a clerk drops a CSV with 1,000 rows of which 3 are broken, 997 are stored and 3 are listed with line number and reason.",
  "normalization/goal":
    "Every stored row becomes one record with ISO dates, amounts in cents and trimmed names, and the reviewer sees the source value beside the new one.",
  "normalization/constraints":
    "It must never guess: a value it cannot read stays as it came and is flagged, and only the 14 agreed columns are touched.",
  "normalization/criteria":
    "Running it twice over the same 500 sample records changes nothing, and totals per currency match the input to the cent.",
  "review-ui/goal":
    "A reviewer opens the oldest flagged record, reads the inline comments, and approves it or sends it back with a reason, after which the next one opens.",
  "review-ui/constraints":
    "Only the two named reviewers may approve, nobody approves a record they edited themselves, and a decision cannot be undone after 24 hours.",
  "review-ui/criteria":
    "A new reviewer decides ten records unaided in under 15 minutes, and at the end of the day no record shows as exported without a decision.",
  "export/goal":
    "On the first working day of each month the auditor downloads one PDF per client that lists every approved record with the reviewer's name and date.",
  "export/constraints":
    "A report must not contain unapproved records, has to be stored for seven years, and may never be edited after it is made.",
  "export/criteria":
    "An auditor compares the PDF with 200 approved records line by line and finds zero differences; the page total equals the sum of amounts.",
};

/** More of them, each with the dimension that it answers. */
export const english: readonly (readonly [string, string])[] = [
  ["goal", "The warehouse team scans a pallet, and the app shows on which shelf it goes and prints the label."],
  [
    "goal",
    "When a customer cancels an order before 6 pm, the stock goes back at once and the customer gets an email with the refund amount.",
  ],
  [
    "goal",
    "Our nurses enter the shift swap on their phone, the ward manager approves it, and the roster is updated the same evening.",
  ],
  [
    "goal",
    "First the teacher uploads the list of students, then the system creates one group per class, and finally every parent receives an invitation.",
  ],
  [
    "goal",
    "It replaces the spreadsheet that Maria keeps by hand: she opens the page on Monday and sees which invoices are overdue by more than 30 days.",
  ],
  [
    "goal",
    "A visitor searches for a recipe by two ingredients and gets the five that use most of what is already at home.",
  ],
  [
    "goal",
    "The build server pushes a new version to staging after every merge, and the release manager promotes it to production with one click.",
  ],
  [
    "goal",
    "Reviewers work through the queue from the oldest record to the newest and leave a reason each time they send something back.",
  ],
  ["constraints", "We must not store card numbers; Stripe handles them, and we only keep the last four digits."],
  [
    "constraints",
    "It has to run on the two laptops in the shop, without internet, and start in less than ten seconds.",
  ],
  [
    "constraints",
    "No more than 20 requests per minute per customer, and requests above that limit get a 429 with a retry time.",
  ],
  [
    "constraints",
    "Personal data never leaves the EU, logs are deleted after 90 days, and support staff only see masked addresses.",
  ],
  [
    "constraints",
    "The budget is 5,000 euros until the end of March, so there is no native app and no second language in the first version.",
  ],
  [
    "constraints",
    "Files over 2 GB are out of scope. Uploads of up to 2 GB must survive a lost connection and resume where they stopped.",
  ],
  [
    "constraints",
    "Only managers can change prices, a change is valid from the next morning, and it can never be backdated.",
  ],
  [
    "constraints",
    "We use Postgres 15 because the rest of the company does, and we may not add another database server.",
  ],
  [
    "criteria",
    "A search over 100,000 recipes answers within 300 ms for 95% of the queries, measured on the production machine.",
  ],
  [
    "criteria",
    "If a driver loses the connection for ten minutes, every scan made in that time appears on the server within one minute after reconnecting.",
  ],
  ["criteria", "Ten people from sales complete an order without help, and nobody needs more than three minutes."],
  [
    "criteria",
    "The sum of all payouts in the report equals the bank statement of that month, to the cent, for each of the last twelve months.",
  ],
  [
    "criteria",
    "A test user without the admin role gets a 403 on every admin page, and the attempt shows up in the audit log.",
  ],
  [
    "criteria",
    "When the same file is uploaded twice, the second upload is refused and the message names the date of the first one.",
  ],
  [
    "criteria",
    "After one month at most 2 of 100 tickets are routed to the wrong team, counted from the tickets that were moved by hand.",
  ],
  [
    "criteria",
    "It works when the morning report is in the inbox of all four managers by 7:30 on 20 working days in a row.",
  ],
];

export const koreanPipeline =
  "CSV를 수집하고, 레코드를 정규화하고, 인라인 댓글과 승인이 있는 상세한 검토 화면을 제공하고, 감사용 보고서를 내보내는 접수 파이프라인을 만들어 줘";

export const korean: readonly (readonly [string, string])[] = [
  ["goal", "운영 담당자가 감시 폴더에 CSV를 넣으면 1분 안에 저장된 행 수와 거절된 행 수를 화면에서 봅니다."],
  [
    "goal",
    "저장된 모든 행은 ISO 날짜와 원 단위 금액을 가진 레코드 하나가 되고, 검토자는 새 값 옆에서 원래 값을 봅니다.",
  ],
  [
    "goal",
    "검토자는 가장 오래된 레코드를 열어 인라인 댓글을 읽고, 승인하거나 이유를 적어 돌려보내면 다음 건이 열립니다.",
  ],
  [
    "goal",
    "매달 첫 영업일에 감사인이 고객사마다 PDF 하나를 내려받고, 승인된 레코드와 검토자 이름과 날짜가 모두 나옵니다.",
  ],
  [
    "constraints",
    "파일은 최대 50MB, 20만 행까지이고 UTF-8만 받습니다. 더 큰 파일은 통째로 거절하고 원본은 절대 바꾸지 않습니다.",
  ],
  [
    "constraints",
    "절대 추측하면 안 됩니다. 읽을 수 없는 값은 들어온 그대로 두고 표시하며, 합의한 14개 열만 건드립니다.",
  ],
  [
    "constraints",
    "지정된 검토자 두 명만 승인할 수 있고, 자기가 수정한 레코드는 승인하지 못하며, 24시간이 지나면 결정을 취소할 수 없습니다.",
  ],
  [
    "constraints",
    "보고서에는 승인되지 않은 레코드가 들어가면 안 되고, 7년 동안 보관해야 하며, 만든 뒤에는 수정할 수 없습니다.",
  ],
  ["criteria", "깨진 행 3개가 있는 1,000행 CSV를 넣으면 997행이 저장되고 3행은 줄 번호와 이유가 함께 표시됩니다."],
  ["criteria", "같은 표본 500건에 두 번 실행해도 바뀌는 것이 없고, 통화별 합계가 입력과 1원까지 일치합니다."],
  [
    "criteria",
    "새 검토자가 도움 없이 15분 안에 열 건을 결정하고, 하루가 끝날 때 결정 없이 내보낸 레코드는 0건으로 표시됩니다.",
  ],
  [
    "criteria",
    "감사인이 승인된 레코드 200건을 PDF와 한 줄씩 비교해서 차이를 하나도 찾지 못하고, 쪽 합계가 금액의 합과 같습니다.",
  ],
];

export const japanesePipeline =
  "CSVを取り込み、レコードを正規化し、インラインコメントと承認を備えた詳細なレビュー画面を提供し、監査対応レポートを出力する受付パイプラインを作りたい";

export const japanese: readonly (readonly [string, string])[] = [
  ["goal", "運用担当者が監視フォルダにCSVを置くと、1分以内に保存された行数と拒否された行数が画面に表示されます。"],
  [
    "goal",
    "保存されたすべての行は、ISO形式の日付と円単位の金額を持つレコードになり、レビュアーは新しい値の隣に元の値を見ます。",
  ],
  [
    "goal",
    "レビュアーはいちばん古いレコードを開き、インラインコメントを読み、承認するか理由を書いて差し戻すと、次の件が開きます。",
  ],
  [
    "goal",
    "毎月最初の営業日に、監査人が顧客ごとのPDFをダウンロードし、承認済みのレコードとレビュアーの名前と日付がすべて載っています。",
  ],
  [
    "constraints",
    "ファイルは最大50MB、20万行までで、UTF-8だけを受け付けます。それより大きいファイルは全体を断り、元のファイルは決して変更しません。",
  ],
  ["constraints", "推測は絶対にしてはいけません。読めない値は来たまま残して印を付け、合意した14列だけを扱います。"],
  [
    "constraints",
    "承認できるのは指名された2人のレビュアーだけで、自分が編集したレコードは承認できず、24時間を過ぎた決定は取り消せません。",
  ],
  ["constraints", "報告書に未承認のレコードを入れてはならず、7年間保管する必要があり、作成後は編集できません。"],
  [
    "criteria",
    "壊れた行が3行ある1,000行のCSVを入れると、997行が保存され、3行は行番号と理由とともに一覧に表示されます。",
  ],
  ["criteria", "同じ見本500件に二度実行しても何も変わらず、通貨ごとの合計が入力と1円まで一致します。"],
  [
    "criteria",
    "新人のレビュアーが15分以内に10件を一人で決め、一日の終わりに決定なしで出力されたレコードは0件と表示されます。",
  ],
  [
    "criteria",
    "監査人が承認済みのレコード200件をPDFと一行ずつ比べ、違いが一つも見つからず、ページの合計が金額の合計と同じです。",
  ],
];

export const spanishPipeline =
  "Construir un flujo de entrada que ingiera archivos CSV, normalice registros, ofrezca una interfaz de revisión detallada con comentarios en línea y aprobaciones, y exporte informes listos para auditoría";

export const spanish: readonly (readonly [string, string])[] = [
  [
    "goal",
    "Un operador deja un CSV en una carpeta vigilada y, en menos de un minuto, ve cuántas filas se guardaron y cuántas se rechazaron.",
  ],
  [
    "goal",
    "Cada fila guardada se convierte en un registro con fechas ISO e importes en céntimos, y el revisor ve el valor original junto al nuevo.",
  ],
  [
    "goal",
    "El revisor abre el registro más antiguo, lee los comentarios en línea, lo aprueba o lo devuelve con un motivo, y después se abre el siguiente.",
  ],
  [
    "goal",
    "El primer día hábil de cada mes el auditor descarga un PDF por cliente que lista todos los registros aprobados con el nombre del revisor y la fecha.",
  ],
  [
    "constraints",
    "Un archivo puede tener como máximo 50 MB y 200.000 filas en UTF-8; lo que pase de ahí se rechaza entero y el original nunca se cambia.",
  ],
  [
    "constraints",
    "Nunca debe adivinar: un valor que no entiende queda como llegó y se marca, y solo se tocan las 14 columnas acordadas.",
  ],
  [
    "constraints",
    "Solo los dos revisores nombrados pueden aprobar, nadie aprueba un registro que editó, y una decisión no se puede deshacer después de 24 horas.",
  ],
  [
    "constraints",
    "Un informe no debe contener registros sin aprobar, hay que conservarlo siete años y nunca se puede editar una vez hecho.",
  ],
  [
    "criteria",
    "Cuando se deja un CSV de 1.000 filas con 3 rotas, se guardan 997 y las 3 aparecen en una lista con número de línea y motivo.",
  ],
  [
    "criteria",
    "Al ejecutarlo dos veces sobre los mismos 500 registros de muestra no cambia nada, y los totales por moneda coinciden con la entrada al céntimo.",
  ],
  [
    "criteria",
    "Una revisora nueva decide diez registros sin ayuda en menos de 15 minutos, y al final del día ningún registro aparece exportado sin decisión.",
  ],
  [
    "criteria",
    "El auditor compara el PDF con 200 registros aprobados línea por línea y no encuentra diferencias; el total de la página es igual a la suma de importes.",
  ],
];
