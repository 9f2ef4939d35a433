import { lazyComponent } from "#components/ui/lists/lazy-component";

/** Icon of an entry of the frame's menus: not of the first load, since nothing shows it before a menu opens. */
export const MenuIcon = lazyComponent(() => import("./navigation/menu-icons.tsx").then((module) => module.MenuIcon), true);

/** The themes that the account menu, the palette and the settings offer. */
export const THEMES = [
  { value: "system", label: "System", icon: <MenuIcon name="system" /> },
  { value: "light", label: "Light", icon: <MenuIcon name="light" /> },
  { value: "dark", label: "Dark", icon: <MenuIcon name="dark" /> },
];
