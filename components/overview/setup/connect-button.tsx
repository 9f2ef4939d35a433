"use client";

import { Link2 } from "lucide-react";
import { toast } from "#components/ui/feedback/toast";
import { Button } from "#components/ui/primitives/button";
import { useStartConnect } from "#lib/client/queries/connections";

/** Opens the platform's permission dialog directly. The connection is named by its number; the Connections page asks for a name. */
export function ConnectButton({ disabled }: { disabled: boolean }) {
  const start = useStartConnect();
  return (
    <Button
      size="sm"
      variant="primary"
      icon={<Link2 aria-hidden />}
      disabled={disabled}
      loading={start.isPending}
      onClick={() => start.mutate({}, { onError: (error) => toast.error("Couldn't start connecting", { description: error.message }) })}
    >
      Connect
    </Button>
  );
}
