# The sandbox as a service on this machine. It prints the control token that `pixgate sandbox pay` and the other controls need:
#   docker build -t pixgate . && docker run --rm --read-only -p 127.0.0.1:4010:4010 pixgate
# Its steps were run by hand; no engine has built this file yet.
FROM node:24-slim AS build
WORKDIR /build
COPY . .
RUN npm ci --ignore-scripts && npm pack

FROM node:24-slim
COPY --from=build /build/pixgate-*.tgz /tmp/
RUN npm install -g --ignore-scripts /tmp/pixgate-*.tgz && rm /tmp/pixgate-*.tgz
# What is to stay is below /data, which every user id may use; a new volume takes this mode over. Without a volume on a root that is
# read-only nothing can be kept, so that no payment is sent.
RUN install -d -m 1777 /data
ENV PIXGATE_DATA_DIR=/data/ledger PIXGATE_CONFIG_DIR=/data/config
# A number, so that an orchestrator can see that it is not root; any other works, too.
USER 1000:1000
EXPOSE 4010
ENTRYPOINT ["pixgate"]
# Requests come from the address of a bridge, which differs from engine to engine, so that every address may make transfers. It keeps
# nothing, so that it needs no volume.
CMD ["sandbox", "--memory", "--host", "0.0.0.0", "--allow-ip", "0.0.0.0/0"]
