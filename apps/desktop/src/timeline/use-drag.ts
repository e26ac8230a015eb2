import { type PointerEvent, type RefObject, useRef } from "react";

const dragMin = 4;

export interface DragOptions {
  /** The width of the picture, and the part of time that it shows. */
  readonly width: number;
  readonly span: number;
  /** Without it, a press that moves is told from a click, and nothing is dragged. */
  readonly onMove?: (by: number) => void;
}

/** While the picture is dragged, it is only shifted: one style of one element changes. */
export function useDrag(frame: RefObject<HTMLDivElement | null>, options: DragOptions) {
  const drag = useRef<{ readonly fromX: number; by: number } | null>(null);
  const wasDragged = useRef(false);
  const canvas = (): HTMLElement | null => frame.current?.querySelector<HTMLElement>("[data-canvas]") ?? null;
  const end = (): void => {
    const by = drag.current?.by ?? 0;
    drag.current = null;
    const element = canvas();
    if (element !== null) element.style.transform = "";
    if (Math.abs(by) >= dragMin) options.onMove?.((-by / options.width) * options.span);
  };
  return {
    wasDragged: () => wasDragged.current,
    handlers: {
      onPointerDown: (event: PointerEvent) => {
        wasDragged.current = false;
        if (event.button !== 0) return;
        drag.current = { fromX: event.clientX, by: 0 };
      },
      onPointerMove: (event: PointerEvent) => {
        if (drag.current === null) return;
        // the press ended where nothing of it was heard
        if ((event.buttons & 1) === 0) return end();
        drag.current.by = event.clientX - drag.current.fromX;
        if (!wasDragged.current && Math.abs(drag.current.by) >= dragMin) {
          wasDragged.current = true;
          if (options.onMove !== undefined) event.currentTarget.setPointerCapture(event.pointerId);
        }
        const element = canvas();
        if (wasDragged.current && options.onMove !== undefined && element !== null)
          element.style.transform = `translateX(${drag.current.by}px)`;
      },
      onPointerUp: end,
      onPointerCancel: end,
    },
  };
}
