import { Checkbox } from "#components/ui/primitives/checkbox";
import { useCounts } from "#lib/client/queries/counts";

type AlsoToDestinationsProps = { checked: boolean; onChange: (checked: boolean) => void };

export function AlsoToDestinations({ checked, onChange }: AlsoToDestinationsProps) {
  const { data } = useCounts();
  if (!data?.destinations) return null;
  return (
    <Checkbox checked={checked} onCheckedChange={onChange}>
      Also send to destinations
      <span className="block text-12 text-muted">To every destination they match, including those that already received them.</span>
    </Checkbox>
  );
}
