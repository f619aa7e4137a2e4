# syntax=docker/dockerfile:1
# Untried: this file has been linted (ci/lint-files), but never built.
#
#   docker build --tag elenchus .
#   docker run --rm --volume elenchus-cache:/var/cache/elenchus --volume "$PWD:/work" --user "$(id -u):$(id -g)" \
#       elenchus fuzz --time 10m
#
# `docker run --rm elenchus solver doctor` says what the container lacks. Elenchus runs all the same.

FROM rust:1.90-slim-bookworm AS build
WORKDIR /source
COPY . .
RUN cargo build --release --locked --package elenchus --features collect,postgres

FROM debian:bookworm-slim
# Releases of solvers are installed with pip. Debian keeps only the newest version of a package, so none is pinned.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends python3-pip \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --create-home --uid 1000 elenchus \
    # Everybody may write here, so that the container can run as the user who owns the mounted folder.
    && install --directory --mode 1777 /var/cache/elenchus /work
COPY --from=build /source/target/release/elenchus /usr/local/bin/
ENV ELENCHUS_CACHE=/var/cache/elenchus
VOLUME /var/cache/elenchus
USER 1000:1000
WORKDIR /work
ENTRYPOINT ["elenchus"]
CMD ["--help"]
