import { SessionHome } from '../../features/sessions/session-home.tsx';
import { requireMe } from '../../trpc/server.ts';

export default async function HomePage() {
  const me = await requireMe();
  return <SessionHome name={me.user.name} />;
}
