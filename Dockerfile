# Capscope as an image: docs/how-to/deploy.md. With PyPI's torch for CUDA: --build-arg TORCH_INDEX=
FROM python:3.11-slim-bookworm
ARG TORCH_INDEX=https://download.pytorch.org/whl/cpu
ENV PYTHONUNBUFFERED=1
# OpenCV, which ultralytics requires, needs libGL and GLib. Packages keep weights in ~/.cache, up to 27 GB.
RUN apt-get update && apt-get install --yes --no-install-recommends make libgl1 libglib2.0-0 libxcb1 \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --uid 1000 --create-home capscope \
    && install --directory --owner=1000 --group=1000 --mode=700 /data /weights \
    && ln --symbolic /weights /home/capscope/.cache
WORKDIR /app
COPY Makefile pyproject.toml requirements.txt app.py ./
COPY capscope ./capscope
COPY core ./core
COPY docs/glossary.md ./docs/
COPY storage ./storage
COPY ui ./ui
COPY assets ./assets
# User 1000 must be able to read the files, also after a checkout with umask 077, and can write no byte code later.
RUN make .venv/.installed TORCH_INDEX="$TORCH_INDEX" && chmod --recursive u=rwX,go=rX .
USER 1000
ENV HOME=/home/capscope PATH=/app/.venv/bin:$PATH CAPSCOPE_DATA=/data CAPSCOPE_HOST=0.0.0.0 CAPSCOPE_PORT=7860
ENV CAPSCOPE_PUBLIC_URL=http://localhost:7860
VOLUME /data /weights
EXPOSE 7860
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
    CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:7860/healthz', timeout=4)"]
CMD ["python", "app.py"]
