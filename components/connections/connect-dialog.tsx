"use client";

import { Link2 } from "lucide-react";
import { type FormEvent, useState } from "react";
import { Button } from "#components/ui/button";
import { Dialog } from "#components/ui/dialog";
import { Field } from "#components/ui/field";
import { Input } from "#components/ui/input";
import { ProblemNotice } from "#components/ui/problem-notice";
import { useStartConnect } from "#lib/client/connections";

/** Names a new connection and leaves for the platform's permission dialog. */
export function ConnectDialog({ scopes }: { scopes: string[] }) {
  const [open, setOpen] = useState(false);
  const start = useStartConnect();
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget).get("name")).trim();
    start.mutate(name === "" ? {} : { name });
  }
  return (
    <Dialog
      open={open}
      onOpenChange={setOpen}
      title="Connect an account"
      description="You go to the platform, which asks you to approve these permissions, and come back here."
      trigger={
        <Button variant="primary" icon={<Link2 aria-hidden />}>
          Connect an account
        </Button>
      }
    >
      <form onSubmit={submit} className="flex flex-col gap-4">
        {start.error ? <ProblemNotice announce what="Connecting did not start" why={start.error.message} /> : null}
        <Field label="Name" hint="What your team calls this account: “Acme production”." optional>
          <Input name="name" maxLength={80} autoFocus />
        </Field>
        <div>
          <p className="text-13 font-medium">Permissions</p>
          <ul className="mt-1.5 flex flex-col gap-1 font-mono text-12 text-muted">
            {scopes.map((scope) => (
              <li key={scope}>{scope}</li>
            ))}
          </ul>
        </div>
        <div className="flex justify-end gap-2">
          <Button onClick={() => setOpen(false)}>Cancel</Button>
          <Button type="submit" variant="primary" loading={start.isPending}>
            Continue to the platform
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
