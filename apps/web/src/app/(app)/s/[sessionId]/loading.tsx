import { SessionLoading } from '../../../../features/session/session-loading.tsx';

export default function Loading() {
  return <SessionLoading />;
}
