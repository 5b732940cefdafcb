/** `schema NAME`: the JSON schema of what a command prints or reads. */
import * as z from "zod";
import { AnswersFile } from "../../ask/answers-schema.ts";
import { settingsSchema } from "../../core/settings.ts";
import { type ExitCode, UsageError } from "../../errors.ts";
import type { Streams } from "../drive.ts";
import { DoctorOutput, ErrorOutput, RunOutput, SessionsOutput, ShowOutput, StepOutput } from "../outputs.ts";

const schemas: Readonly<Record<string, () => z.ZodType>> = {
  run: () => RunOutput,
  step: () => StepOutput,
  show: () => ShowOutput,
  sessions: () => SessionsOutput,
  doctor: () => DoctorOutput,
  error: () => ErrorOutput,
  answers: () => AnswersFile,
  settings: settingsSchema,
};
export const schemaNames: readonly string[] = Object.keys(schemas);

export function schemaCommand(name: string, streams: Streams): ExitCode {
  const schema = schemas[name];
  if (schema === undefined) {
    throw new UsageError("schema", `there is no schema named "${name}"`, {
      next: `One of: ${schemaNames.join(", ")}.`,
    });
  }
  streams.stdout.write(`${JSON.stringify(z.toJSONSchema(schema(), { unrepresentable: "any" }), null, 2)}\n`);
  return 0;
}
