# Signalbox in a container: `docker build -t signalbox .`
# One image, four commands: web, worker, all (both), migrate (prepares the database and ends); backup, restore and doctor too.

FROM node:24-bookworm-slim AS build
WORKDIR /source
COPY package.json package-lock.json prisma.config.ts ./
COPY packages/cli/package.json packages/cli/
COPY lib/config lib/config
COPY prisma prisma
COPY tools tools
RUN npm ci --no-audit --no-fund
COPY . .
# The package that a release has. It holds what it loads; of what npm installs beside it, for the machine, an image needs
# neither another Node nor the embedded database.
RUN npm pack --pack-destination /tmp
RUN npm install --prefix /install --ignore-scripts --no-audit --no-fund /tmp/signalbox-*.tgz \
  && mv /install/node_modules/signalbox/dist /dist \
  && mv /install/node_modules/@node-rs /dist/node_modules/ \
  && mkdir -p /dist/.next/cache

FROM node:24-bookworm-slim
ENV NODE_ENV=production DATA_DIR=/data PORT=3000
WORKDIR /app
# The files belong to root and are only read. /data is for new tokens that the database can't take just now: keep it
# on a volume. Next keeps its cache in memory and, where it may, in .next/cache.
RUN mkdir -p /data /backups && chown 65532:65532 /data /backups
COPY --from=build /dist ./
RUN chown 65532:65532 .next/cache
USER 65532:65532
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=6s --start-period=60s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.PORT || 3000) + '/health/live').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "bin/signalbox.mjs"]
CMD ["all"]
