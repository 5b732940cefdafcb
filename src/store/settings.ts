/**
 * D0.1, D0.2: reads the project's and the user's settings files. A missing file is no layer; one that cannot be read or
 * parsed stops the run, because a value in it might be the one that counts.
 */
import { readFile, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Layer } from "../core/entries.ts";
import { UsageError } from "../errors.ts";
import { isRecord } from "./canonical.ts";
import { codeOf } from "./disk.ts";
import { findFault, type Position, positionAt } from "./position.ts";

export interface SettingsPlaces {
  /** Absolute. */
  readonly projectRoot: string;
  /** Absolute. */
  readonly home: string;
  /** `GJC_CONFIG_DIR`, when it is set. */
  readonly configDir: string | undefined;
}

/** Nobody's settings are longer; a device or a pipe in the file's place would never end. */
const maxBytes = 1024 * 1024;

/** @throws UsageError naming file, line and column. */
export async function readSettings(places: SettingsPlaces): Promise<{ project: Layer | null; user: Layer | null }> {
  const { projectRoot, home, configDir } = places;
  const hasOwn = configDir !== undefined && configDir !== "";
  const userName = hasOwn ? "$GJC_CONFIG_DIR/settings.json" : "~/.gjc/settings.json";
  const userPath = resolve(hasOwn ? configDir : join(home, ".gjc"), "settings.json");
  const projectPath = resolve(projectRoot, ".gjc", "settings.json");
  const project = await readLayer("./.gjc/settings.json", projectPath);
  // In the home folder itself both are one file, which then is the project's.
  const user = userPath === projectPath ? null : await readLayer(userName, userPath);
  return { project, user };
}

async function readLayer(name: string, path: string): Promise<Layer | null> {
  const bytes = await readBytes(name, path);
  if (bytes === null) return null;
  const text = decode(name, path, bytes);
  const fault = findFault(text);
  if (fault !== null) throw syntax(name, path, fault, text.trim() === "" ? "the file is empty" : "this is no JSON");
  const value: unknown = JSON.parse(text);
  if (isRecord(value)) return { name, value };
  throw syntax(name, path, { line: 1, column: 1 }, "settings have to be a JSON object");
}

async function readBytes(name: string, path: string): Promise<Buffer | null> {
  try {
    const entry = await stat(path);
    if (!entry.isFile()) throw unreadable(name, path, "it is not a file");
    if (entry.size > maxBytes) throw unreadable(name, path, "it is larger than 1 MB");
    return await readFile(path);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const code = codeOf(error);
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    throw unreadable(name, path, `it cannot be read (${code ?? "unknown"})`, error);
  }
}

/** Without a byte order mark, which editors add unasked. */
function decode(name: string, path: string, bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    const text = new TextDecoder("utf-8").decode(bytes);
    throw syntax(name, path, positionAt(text, text.indexOf("\uFFFD")), "this is no UTF-8");
  }
}

function unreadable(name: string, path: string, reason: string, cause?: unknown): UsageError {
  return new UsageError("settings-unreadable", `${label(name, path)}: ${reason}.`, {
    next: "Mend the file or move it away; no setting is guessed.",
    cause,
  });
}

function syntax(name: string, path: string, { line, column }: Position, reason: string): UsageError {
  return new UsageError("settings-syntax", `${label(name, path)}:${line}:${column}: ${reason}.`, {
    next: "Mend the file there or move it away; no setting is guessed.",
  });
}

/** The name that people know it by and, where that is not enough to find it, the path. */
function label(name: string, path: string): string {
  return name.startsWith("$") ? `${name} (${path})` : name;
}
