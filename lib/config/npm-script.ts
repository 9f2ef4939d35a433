/** The text of the package's script that npm runs this process for; null where npm did not start it. */
export function npmScript(): string | null {
  return process.env.npm_lifecycle_event ? (process.env.npm_lifecycle_script ?? null) : null;
}
