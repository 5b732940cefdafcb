/** Colour on the human stream, by what the environment says: FORCE_COLOR, NO_COLOR, TERM=dumb, no terminal. */

export type Env = Readonly<Record<string, string | undefined>>;

export interface Style {
  readonly color: boolean;
  bold(text: string): string;
  dim(text: string): string;
  accent(text: string): string;
  warn(text: string): string;
}

/** FORCE_COLOR decides alone when it is set; any value of NO_COLOR but the empty one turns colour off. */
export function hasColor(env: Env, isTTY: boolean): boolean {
  const forced = env["FORCE_COLOR"];
  if (forced !== undefined && forced !== "") return forced !== "0" && forced !== "false";
  if ((env["NO_COLOR"] ?? "") !== "" || env["TERM"] === "dumb") return false;
  return isTTY;
}

export function createStyle(color: boolean): Style {
  const paint = (open: number, close: number) => (text: string) =>
    color && text !== "" ? `\u001b[${open}m${text}\u001b[${close}m` : text;
  return { color, bold: paint(1, 22), dim: paint(2, 22), accent: paint(36, 39), warn: paint(33, 39) };
}
