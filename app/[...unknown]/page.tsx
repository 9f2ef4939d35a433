import { notFound } from "next/navigation";

/** Every URL without a page: a person who is signed in keeps the navigation (not-found.tsx). */
export default function UnknownPage() {
  notFound();
}
