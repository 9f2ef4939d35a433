"use client";

import { X } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { Button } from "#components/ui/primitives/button";
import { cn } from "#components/ui/primitives/cn";

type WindowHeadProps = { title: ReactNode; titleLook: string; description?: ReactNode; className: string };

export function WindowHead({ title, titleLook, description, className }: WindowHeadProps) {
  return (
    <div className={cn("flex gap-3", className)}>
      <div className="min-w-0 flex-1">
        <Radix.Title className={cn("font-semibold", titleLook)}>{title}</Radix.Title>
        {description === undefined ? null : <Radix.Description className="mt-1 text-13 text-muted">{description}</Radix.Description>}
      </div>
      <Radix.Close asChild>
        <Button variant="ghost" size="sm" aria-label="Close" className="-my-1 -mr-2 size-8 px-0" icon={<X />} />
      </Radix.Close>
    </div>
  );
}
