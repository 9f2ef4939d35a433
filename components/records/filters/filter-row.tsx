"use client";

import type { Filters } from "#lib/contracts/api/filters";
import { FilterField, type FilterFieldProps } from "./filter-field.tsx";
import { FilterShell, type FilterShellProps } from "./filter-shell.tsx";

type FilterRowProps<F extends Filters> = Omit<FilterShellProps<F>, "children"> & {
  counts?: { [Name in keyof F]?: NonNullable<FilterFieldProps["counts"]> };
  onOpen?: { [Name in keyof F]?: () => void };
} & Pick<FilterFieldProps, "options">;

const WIDTHS = {
  text: "min-w-0 flex-1 basis-28 max-w-80 max-rail:max-w-none max-rail:basis-full",
  select: "w-auto min-w-24",
  buttons: "",
  switch: "",
};

export function FilterRow<F extends Filters>({ options, counts, onOpen, ...row }: FilterRowProps<F>) {
  const { filters, filter, hidden = [], onChange } = row;
  return (
    <FilterShell {...row}>
      {Object.entries(filters).map(([name, declared]) =>
        hidden.includes(name) ? null : (
          <FilterField
            key={name}
            filter={declared}
            chosen={filter[name]}
            className={declared.input ? WIDTHS[declared.input.as] : ""}
            onChange={(value) => onChange({ ...filter, [name]: value })}
            {...(options && { options })}
            {...(counts?.[name] && { counts: counts[name] })}
            {...(onOpen?.[name] && { onOpen: onOpen[name] })}
          />
        ),
      )}
    </FilterShell>
  );
}
