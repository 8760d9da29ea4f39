'use client';
import { FileOutput } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogTrigger } from '../../ui/dialog.tsx';
import { OutputViewer } from './output-viewer.tsx';

type OpenProps = { sessionId: string; outputRef: string; title: string; label: string };

/** The way from a cut text to the whole of it. */
export function OpenOutput({ sessionId, outputRef, title, label }: OpenProps) {
  return (
    <Dialog>
      <DialogTrigger asChild>
        <Button size="sm" className="self-start">
          <FileOutput />
          {label}
        </Button>
      </DialogTrigger>
      <OutputViewer sessionId={sessionId} outputRef={outputRef} title={title} />
    </Dialog>
  );
}
