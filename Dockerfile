# Capscope as an image: docs/how-to/deploy.md. `make test-image` carries out these steps and runs the result without Docker.
# Without models: --build-arg REQUIREMENTS=requirements-rating.txt. With PyPI's torch for CUDA: --build-arg TORCH_INDEX=
FROM python:3.11-slim-bookworm
ARG REQUIREMENTS=requirements.txt
ARG TORCH_INDEX=https://download.pytorch.org/whl/cpu
ENV PYTHONUNBUFFERED=1 PIP_DISABLE_PIP_VERSION_CHECK=1
# Packages keep weights in ~/.cache, up to 27 GB.
RUN useradd --uid 1000 --create-home capscope \
    && install --directory --owner=1000 --group=1000 --mode=700 /data /weights \
    && ln --symbolic /weights /home/capscope/.cache
WORKDIR /app
COPY install.py requirements-rating.txt requirements.txt requirements-train.txt requirements-cpu.txt requirements-headless.txt requirements.lock ./
# opencv-python needs libxcb and libGL for its windows, and the image has neither. -headless is the same without windows.
RUN if [ "$REQUIREMENTS" = requirements.txt ] && [ -n "$TORCH_INDEX" ]; then \
        pip install --require-hashes --no-deps -r requirements-cpu.txt --index-url "$TORCH_INDEX"; \
    fi \
    && python install.py "$REQUIREMENTS" \
    && if [ "$REQUIREMENTS" = requirements.txt ]; then \
        pip uninstall --yes opencv-python \
        && pip install --require-hashes --no-deps -r requirements-headless.txt; \
    fi \
    && pip cache purge
COPY app.py ./
COPY capscope ./capscope
COPY core ./core
COPY docs/glossary.md ./docs/
COPY storage ./storage
COPY ui ./ui
COPY assets ./assets
# User 1000 must be able to read the files, also after a checkout with umask 077, and can write no byte code later.
RUN chmod --recursive u=rwX,go=rX . && python -m compileall -q .
USER 1000
ENV HOME=/home/capscope CAPSCOPE_DATA=/data CAPSCOPE_HOST=0.0.0.0 CAPSCOPE_PORT=7860
ENV CAPSCOPE_PUBLIC_URL=http://localhost:7860
VOLUME /data /weights
EXPOSE 7860
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
    CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:7860/healthz', timeout=4)"]
CMD ["python", "app.py"]
