import { lazyComponent } from "#components/ui/feedback/lazy-component";

/** Not in the first load, since nothing shows an icon before a menu opens. */
export const MenuIcon = lazyComponent(() => import("./navigation/menu-icons.tsx").then((module) => module.MenuIcon), true);

export const THEMES = [
  { value: "system", label: "System", icon: <MenuIcon name="system" /> },
  { value: "light", label: "Light", icon: <MenuIcon name="light" /> },
  { value: "dark", label: "Dark", icon: <MenuIcon name="dark" /> },
];
