"use client";

import { useEffect, useState } from "react";
import type { FieldMapping } from "#lib/contracts/sources/field-mapping";

const PAUSE_MS = 400;

export function useSettled(mapping: FieldMapping): FieldMapping {
  const text = JSON.stringify(mapping);
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return JSON.parse(settled);
}
