import {
  BookOpen,
  Braces,
  CircleUser,
  Columns2,
  Download,
  Fingerprint,
  Keyboard,
  Laptop,
  Link2,
  LogOut,
  Maximize2,
  Monitor,
  Moon,
  Plus,
  Settings,
  SquareTerminal,
  Sun,
  Waypoints,
} from "lucide-react";

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
  id: Fingerprint,
  link: Link2,
  terminal: SquareTerminal,
  local: Laptop,
  compare: Columns2,
  download: Download,
  page: Maximize2,
  trace: Waypoints,
};

export function MenuIcon({ name }: { name: keyof typeof ICONS }) {
  const Icon = ICONS[name];
  return <Icon aria-hidden />;
}
