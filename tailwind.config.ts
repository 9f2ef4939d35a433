import type { Config } from "tailwindcss";

/** A colour by its role; the values of both themes stand in app/globals.css. */
const role = (name: string) => `var(--${name})`;

const state = (name: string) => ({
  DEFAULT: role(`state-${name}`),
  surface: role(`state-${name}-surface`),
  line: role(`state-${name}-line`),
  mark: role(`state-${name}-mark`),
});

/**
 * The design tokens. Only roles and a few sizes exist: a raw colour or size has
 * no class, because `theme` replaces Tailwind's own scales.
 */
export default {
  theme: {
    colors: {
      surface: role("surface"),
      raised: role("surface-raised"),
      sunken: role("surface-sunken"),
      hover: role("surface-hover"),
      selected: role("surface-selected"),
      line: { DEFAULT: role("line"), strong: role("line-strong"), control: role("line-control") },
      text: role("text"),
      muted: role("text-muted"),
      faint: role("text-faint"),
      accent: { DEFAULT: role("accent"), hover: role("accent-hover"), text: role("accent-text"), contrast: role("accent-contrast") },
      danger: { DEFAULT: role("danger"), hover: role("danger-hover"), contrast: role("danger-contrast") },
      focus: role("focus"),
      fine: state("fine"),
      working: state("working"),
      attention: state("attention"),
      failed: state("failed"),
      scrim: role("scrim"),
    },
    fontFamily: {
      sans: "var(--font-geist-sans), system-ui, sans-serif",
      mono: "var(--font-geist-mono), ui-monospace, monospace",
    },
    fontSize: {
      12: ["12px", { lineHeight: "16px" }],
      13: ["13px", { lineHeight: "20px" }],
      14: ["14px", { lineHeight: "20px" }],
      16: ["16px", { lineHeight: "24px" }],
      20: ["20px", { lineHeight: "28px", letterSpacing: "-0.01em" }],
      28: ["28px", { lineHeight: "36px", letterSpacing: "-0.02em" }],
    },
    borderRadius: { sm: "4px", md: "6px" },
    boxShadow: { raised: role("shadow-raised") },
    extend: { screens: { rail: "900px" } },
  },
} satisfies Config;
