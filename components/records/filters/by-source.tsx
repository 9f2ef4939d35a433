/** Returns the options of a filter by source; it is hidden if there is only one. */
export const bySource = (sources: string[]): { options: { sources: { value: string; label: string }[] }; hidden: "source"[] } => ({
  options: { sources: sources.map((name) => ({ value: name, label: name })) },
  hidden: sources.length < 2 ? ["source"] : [],
});
