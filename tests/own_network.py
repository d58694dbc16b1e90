"""A network of one's own for tests: an authority with certificates, and a proxy that knows hosts nobody else knows."""

import socket
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID


@dataclass(frozen=True)
class Authority:
    """Files in PEM form."""

    ca: Path
    certificate: Path
    key: Path


def authority(folder: Path, hosts: Sequence[str]) -> Authority:
    """Make an authority and a certificate that it has signed for these hosts."""
    ca_key, key = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
    ca_name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "A lab's own authority")])
    names = x509.SubjectAlternativeName([x509.DNSName(host) for host in hosts])

    def certificate(public: ec.EllipticCurvePublicKey, is_ca: bool) -> x509.Certificate:
        name = ca_name if is_ca else x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, hosts[0])])
        begun = datetime.now(UTC) - timedelta(days=1)
        built = x509.CertificateBuilder().subject_name(name).issuer_name(ca_name).public_key(public)
        built = built.serial_number(x509.random_serial_number()).not_valid_before(begun)
        built = built.not_valid_after(begun + timedelta(days=9))
        built = built.add_extension(x509.BasicConstraints(is_ca, None), critical=True)
        identifier = x509.SubjectKeyIdentifier.from_public_key(public)
        built = built.add_extension(identifier, critical=False)
        signer = x509.AuthorityKeyIdentifier.from_issuer_public_key(ca_key.public_key())
        built = built.add_extension(signer, critical=False)
        if is_ca:
            usage = x509.KeyUsage(True, False, False, False, False, True, True, False, False)
            return built.add_extension(usage, critical=True).sign(ca_key, hashes.SHA256())
        return built.add_extension(names, critical=False).sign(ca_key, hashes.SHA256())

    files = Authority(folder / "ca.pem", folder / "server.pem", folder / "server.key")
    pem = serialization.Encoding.PEM
    files.ca.write_bytes(certificate(ca_key.public_key(), True).public_bytes(pem))
    files.certificate.write_bytes(certificate(key.public_key(), False).public_bytes(pem))
    form, unlocked = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    files.key.write_bytes(key.private_bytes(pem, form, unlocked))
    return files


@dataclass
class Proxy:
    """What a proxy was asked for."""

    url: str
    asked: list[str] = field(default_factory=list)  # "CONNECT host:443" or "GET http://host/path"
    passwords: list[str] = field(default_factory=list)  # Proxy-Authorization of each request, "" for none


@contextmanager
def proxying(hosts: Mapping[str, int], password: str = "") -> Iterator[Proxy]:
    """Run a proxy that reaches these hosts at ports of this machine; password: the header it wants, such as Basic …"""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        proxy = Proxy(f"http://127.0.0.1:{listening.getsockname()[1]}")

        def accept() -> None:
            with suppress(OSError):  # closed at the end
                while True:
                    client, _ = listening.accept()
                    threading.Thread(target=_serve, args=(client, proxy, hosts, password), daemon=True).start()

        threading.Thread(target=accept, daemon=True).start()
        yield proxy
        listening.shutdown(socket.SHUT_RDWR)


def _serve(client: socket.socket, proxy: Proxy, hosts: Mapping[str, int], password: str) -> None:
    with client, suppress(OSError):
        head = b""
        while b"\r\n\r\n" not in head:
            found = client.recv(65536)
            if not found:
                return
            head += found
        lines = head.partition(b"\r\n\r\n")[0].decode("latin-1").split("\r\n")
        method, target, _ = lines[0].split(" ")
        given = next((line[21:] for line in lines if line.lower().startswith("proxy-authorization: ")), "")
        proxy.asked.append(f"{method} {target}")
        proxy.passwords.append(given)
        if given != password:
            client.sendall(b"HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n")
            return
        host = target.partition(":")[0] if method == "CONNECT" else target.split("/")[2].partition(":")[0]
        if host not in hosts:
            client.sendall(b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n")
            return
        with socket.create_connection(("127.0.0.1", hosts[host])) as server:
            if method == "CONNECT":
                client.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
            else:
                said = head.replace(f"http://{host}".encode(), b"", 1)  # one request a connection
                server.sendall(said.replace(b"onnection: keep-alive", b"onnection: close", 1))
            back = threading.Thread(target=_pump, args=(server, client), daemon=True)
            back.start()
            _pump(client, server)
            back.join()


def _pump(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while found := source.recv(65536):
            target.sendall(found)
    with suppress(OSError):
        target.shutdown(socket.SHUT_WR)
