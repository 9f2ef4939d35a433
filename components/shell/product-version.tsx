"use client";

import { createContext, useContext } from "react";

export const ProductVersion = createContext("");

export const useProductVersion = (): string => useContext(ProductVersion);
