import { Monitor, Moon, Sun } from "lucide-react";

/** The themes that the account menu, the palette and the settings offer. */
export const THEMES = [
  { value: "system", label: "System", icon: <Monitor aria-hidden /> },
  { value: "light", label: "Light", icon: <Sun aria-hidden /> },
  { value: "dark", label: "Dark", icon: <Moon aria-hidden /> },
];
