import { useState } from "react";
import { ChoiceButtons } from "#components/ui/choice";
import { CodeBlock } from "#components/ui/code-block";
import { signingSnippets } from "#lib/client/format/signing-snippets";

export function SigningSnippets({ url }: { url: string }) {
  const snippets = signingSnippets(url);
  const [language, setLanguage] = useState(snippets[0]?.language);
  const chosen = snippets.find((snippet) => snippet.language === language);
  if (!chosen) return null;
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <ChoiceButtons
        legend="Language"
        choices={snippets.map((snippet) => ({ value: snippet.language, label: snippet.label }))}
        chosen={chosen.language}
        onChoose={setLanguage}
      />
      <CodeBlock
        code={chosen.code}
        label={`${chosen.label} code`}
        wrap={false}
        title={
          <span className="truncate">
            <span className="font-mono">{chosen.file}</span>: run <span className="font-mono">{chosen.run}</span> with the secret in{" "}
            <span className="font-mono">WEBHOOK_SECRET</span>
          </span>
        }
      />
    </div>
  );
}
