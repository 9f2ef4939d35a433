import { BookOpen, Braces, CircleUser, Keyboard, LogOut, Monitor, Moon, Plus, Settings, Sun } from "lucide-react";

const ICONS = {
  documentation: BookOpen,
  api: Braces,
  keys: Keyboard,
  account: CircleUser,
  settings: Settings,
  signOut: LogOut,
  system: Monitor,
  light: Sun,
  dark: Moon,
  create: Plus,
};

export function MenuIcon({ name }: { name: keyof typeof ICONS }) {
  const Icon = ICONS[name];
  return <Icon aria-hidden />;
}
