"use client";

import { createContext, useContext } from "react";

/** The version of the Signalbox that made this page. */
export const ProductVersion = createContext("");

export const useProductVersion = (): string => useContext(ProductVersion);
