import { Check, Minus } from "lucide-react";
import { Cell, HeadCell, Row, Table, TableBody, TableHead } from "#components/ui/layout/table";
import { cn } from "#components/ui/primitives/cn";
import type { Role } from "#lib/contracts/auth/settings";

type RolesTableProps = { rows: { operation: string; does: string; roles: readonly Role[] }[]; roles: readonly Role[]; own: Role };

export function RolesTable({ rows, roles: all, own }: RolesTableProps) {
  return (
    <Table label="Operations and roles">
      <TableHead>
        <HeadCell>Operation</HeadCell>
        {all.map((each) => (
          <HeadCell key={each} className={cn("px-1.5 text-center align-bottom", each === own && "text-text")}>
            {each === own ? <span className="block text-faint leading-3">you</span> : null}
            {each}
          </HeadCell>
        ))}
      </TableHead>
      <TableBody>
        {rows.map(({ operation, does, roles }) => (
          <Row key={operation}>
            <Cell className="w-full whitespace-normal py-1.5">
              {does}
              <span className="block font-mono text-12 text-faint max-rail:hidden">{operation}</span>
            </Cell>
            {all.map((each) => (
              <Cell key={each} className={cn("text-center", each === own && "bg-selected")}>
                <Allowed yes={roles.includes(each)} />
              </Cell>
            ))}
          </Row>
        ))}
      </TableBody>
    </Table>
  );
}

function Allowed({ yes }: { yes: boolean }) {
  const Icon = yes ? Check : Minus;
  return (
    <>
      <Icon aria-hidden className={cn("mx-auto size-4", yes ? "text-fine" : "text-faint")} />
      <span className="sr-only">{yes ? "allowed" : "not allowed"}</span>
    </>
  );
}
