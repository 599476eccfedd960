import { useEffect, useRef, useState } from "react";

/**
 * The text of a field that is part of the address. When the address changes by itself, as by Back,
 * the field shows it; when it follows what was typed, the field keeps what was typed since.
 */
export function useTypedText(text: string, onSend: (text: string) => void) {
  const [typed, setTyped] = useState(text);
  const sent = useRef(text);
  useEffect(() => {
    if (text === sent.current) return;
    sent.current = text;
    setTyped(text);
  }, [text]);
  const send = (next: string) => {
    if (next === sent.current) return;
    sent.current = next;
    onSend(next);
  };
  return { typed, setTyped, send };
}
