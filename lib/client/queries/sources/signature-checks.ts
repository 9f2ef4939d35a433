import { useMutation } from "@tanstack/react-query";
import { apiSend, contract } from "#lib/client/fetch/fetcher";
import type { SignatureCheckBody } from "#lib/contracts/auth/signature-checks";

const signatureChecksContract = contract(() => import("#lib/contracts/auth/signature-checks"));

/** Neither the secret nor the signature stays in the browser's cache. */
export const useCheckSignature = () =>
  useMutation({
    mutationFn: (body: SignatureCheckBody) => apiSend(signatureChecksContract("signatureCheck"), "POST", "/api/v1/signature-checks", body),
    gcTime: 0,
  });
