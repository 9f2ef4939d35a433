const PASSED_ON = ["PATH", "HOME", "TMPDIR", "TEMP", "TMP", "SystemRoot", "SYSTEMROOT", "windir"];

/**
 * Returns what a program that is not ours gets of the environment: enough to run, and
 * neither our secrets nor settings meant for another server (PGPORT, LC_ALL).
 */
export function toolEnvironment(): NodeJS.ProcessEnv {
  const passed = PASSED_ON.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]));
  return { ...Object.fromEntries(passed), LANG: "C", LC_ALL: "C", TZ: "UTC" };
}
