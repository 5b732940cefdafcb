/**
 * Errors by who is at fault. Each has a stable `code`, an exit code, and a message that says what to do next.
 * Nobody matches on wording; anything that is none of these is a bug of ours (exit 1).
 */
export type ExitCode = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 130 | 143;

export abstract class DeepInterviewError extends Error {
  abstract readonly exitCode: ExitCode;
  readonly code: string;
  /** What the user can do about it: one sentence or a command. */
  readonly next: string | null;

  constructor(code: string, message: string, options: { next?: string; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = new.target.name;
    this.code = code;
    this.next = options.next ?? null;
  }
}

/** The command, a settings file or an answers file is wrong; nothing was changed. */
export class UsageError extends DeepInterviewError {
  readonly exitCode = 2;
}

/** A question is pending and there is nobody to ask; the state is saved. */
export class InputNeeded extends DeepInterviewError {
  readonly exitCode = 4;
}

/** The provider failed after every retry; the interview is resumable where it is. */
export class ModelError extends DeepInterviewError {
  readonly exitCode = 5;
}

/** The model answered, but not with what the task asked for, also after the repair. */
export class ModelReplyError extends DeepInterviewError {
  readonly exitCode = 5;
}

/** State that is locked, conflicting, corrupt or tampered with; its bytes are untouched. */
export class StateError extends DeepInterviewError {
  readonly exitCode = 6;
}

/** The user interrupted (130) or the process was told to stop (143); the state is saved. */
export class Interrupted extends DeepInterviewError {
  readonly exitCode: 130 | 143;

  constructor(signal: "SIGINT" | "SIGTERM", message: string, options: { next?: string } = {}) {
    super(signal === "SIGINT" ? "interrupted" : "terminated", message, options);
    this.exitCode = signal === "SIGINT" ? 130 : 143;
  }
}
