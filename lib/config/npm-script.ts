export function npmScript(): string | null {
  return process.env.npm_lifecycle_event ? (process.env.npm_lifecycle_script ?? null) : null;
}
