/** The build that this page's code is of; empty in development. */
let own = "";

/** Called once, as the document's first page is drawn: later pages of another build load a new document. */
export function setOwnBuild(build: string): void {
  own = build;
}

export const hasOwnBuild = (): boolean => own !== "";

/** True for what a server of this page's own build sent: made by the same contract, it fits it. Anything else is checked against the schema. */
export const isOwnBuild = (build: unknown): boolean => own !== "" && build === own;
