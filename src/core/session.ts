/** Session ids and the folder a session lives in (state.md). */

/** `_session-{enc}`: percent-encoded, dots as well, so that no id can name another folder. */
export function sessionFolder(sessionId: string): string {
  return `_session-${encodeURIComponent(sessionId).replaceAll(".", "%2E")}`;
}
