"use client";

import { Monitor, Moon, Sun } from "lucide-react";
import { useTheme } from "next-themes";
import { MenuChoice } from "#components/ui/dropdown-menu";

export const THEMES = [
  { value: "system", label: "System", icon: <Monitor aria-hidden /> },
  { value: "light", label: "Light", icon: <Sun aria-hidden /> },
  { value: "dark", label: "Dark", icon: <Moon aria-hidden /> },
];

/** System, light or dark, inside a menu. */
export function ThemeChoice() {
  const { theme = "system", setTheme } = useTheme();
  return <MenuChoice value={theme} onValueChange={setTheme} options={THEMES} />;
}
