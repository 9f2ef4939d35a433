import type { OverlayPane } from "#components/ui/overlay/overlay";
import { DialogPane } from "#components/ui/overlay/panes/dialog-pane";
import { LinkButton } from "#components/ui/primitives/button";
import { SecretOnce, secretCloses } from "#components/ui/secrets";
import { useCreateDestination } from "#lib/client/queries/destinations";
import type { CreatedDestination } from "#lib/contracts/forwarding/destinations";
import { DestinationForm } from "./destination-form.tsx";
import { TestButton } from "./test-destination.tsx";

export function CreateDestinationWindow({ types, sources, ...pane }: OverlayPane & { types: string[]; sources: string[] }) {
  const create = useCreateDestination();
  function change(next: boolean) {
    pane.onOpenChange(next);
    if (!next) create.reset();
  }
  return (
    <DialogPane
      {...pane}
      onOpenChange={change}
      closes={secretCloses(create.isPending, create.data?.secret)}
      className="max-w-[640px]"
      title={create.data ? `Created ${create.data.name}` : "Create destination"}
    >
      {create.data ? (
        <Created destination={create.data} />
      ) : (
        <DestinationForm
          destination={null}
          types={types}
          sources={sources}
          error={create.error}
          pending={create.isPending}
          submitLabel="Create destination"
          onSubmit={({ headers = [], ...body }) =>
            create.mutate({ ...body, headers: headers.map(({ name, value = "" }) => ({ name, value })) })
          }
          onCancel={() => change(false)}
        />
      )}
    </DialogPane>
  );
}

function Created({ destination: { id, secret } }: { destination: CreatedDestination }) {
  return (
    <div className="flex flex-col gap-4">
      {secret === null ? (
        <p className="text-13">Requests carry the sender's own signature: your handler verifies it with the sender's secret.</p>
      ) : (
        <SecretOnce secret={secret} what="secret" keep="Your application verifies the signatures with it. You can rotate it later." />
      )}
      <TestButton id={id} />
      <LinkButton href={`/destinations/${encodeURIComponent(id)}`} variant="primary" className="self-end">
        {secret === null ? "Open destination" : "I've copied it"}
      </LinkButton>
    </div>
  );
}
