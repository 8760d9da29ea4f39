# The container of one session. Kept to what the legacy builder understands: no syntax line, no RUN --mount.
FROM node:24-bookworm-slim

RUN apt-get -o Acquire::Retries=1 -o Acquire::http::Timeout=10 update \
 && apt-get install -y --no-install-recommends bash ca-certificates git procps python3 ripgrep \
 && rm -rf /var/lib/apt/lists/* \
 && find / -xdev -type f -perm /6000 -exec chmod a-s {} +

# The volume is empty at first and takes owner and mode from this folder.
RUN groupadd --gid 10001 agent \
 && useradd --uid 10001 --gid 10001 --no-create-home --home-dir /workspace --shell /bin/bash agent \
 && mkdir /workspace \
 && chown 10001:10001 /workspace

# The resident agent as one bundled file, its bridge, and the terminal library for this platform.
COPY agent /opt/oneslot

USER 10001:10001
WORKDIR /workspace
# The upstream base wraps every command in a shell script; the agent is to be the main process itself.
ENTRYPOINT []
CMD ["node", "/opt/oneslot/sandboxd.mjs", "--isolation", "container", "--socket", "/tmp/oneslot/agent.sock"]
