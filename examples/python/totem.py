#!/usr/bin/env python3
"""Um PIX num totem, só com a biblioteca padrão: mostra o código numa tela própria, acompanha o terminal e, se o cliente desiste, cancela.

totem.py            espera o pagamento
totem.py desistir   cancela quando o código aparece, como faria o botão "Cancelar" do totem
"""
import base64
import json
import os
import sys
import threading
import urllib.error
import urllib.request
import uuid

URL = os.environ.get("MAQUININHA_URL", "http://localhost:9050")
USUARIO = os.environ.get("MAQUININHA_USERNAME", "admin")
SENHA = os.environ["MAQUININHA_PASSWORD"]
CREDENCIAIS = "Basic " + base64.b64encode(f"{USUARIO}:{SENHA}".encode()).decode()
DESISTIR = sys.argv[1:] == ["desistir"]


def mostrar(linha):
    """Escreve a linha de uma vez: quem acompanha e quem cobra escrevem ao mesmo tempo, e print misturaria as duas."""
    sys.stdout.write(linha + "\n")
    sys.stdout.flush()


def abrir(metodo, caminho, corpo=None):
    dados = None if corpo is None else json.dumps(corpo).encode()
    pedido = urllib.request.Request(URL + caminho, dados, {"Authorization": CREDENCIAIS, "Content-Type": "application/json"}, method=metodo)
    return urllib.request.urlopen(pedido, timeout=600)  # a cobrança espera pelo cliente


def acompanhar(referencia):
    """O estado vem na hora e, depois, a cada mudança. Linhas que não começam com data: são só sinal de vida."""
    lido = pix = None
    with abrir("GET", "/operation/stream") as eventos:
        for linha in eventos:
            operacao = linha.startswith(b"data:") and json.loads(linha[5:])["operation"]
            if not operacao or operacao["referenceId"] != referencia:
                continue
            if operacao["message"] != lido:
                lido = operacao["message"]
                mostrar(f"→ {lido}")
            if operacao["pix"] and operacao["pix"]["code"] != pix:
                pix = operacao["pix"]["code"]
                mostrar(f"PIX {pix}")  # aqui o totem desenha o QR Code
                if DESISTIR:
                    # Sempre pela referência, para nunca atingir o próximo cliente. É um pedido; o desfecho é o da cobrança.
                    abrir("POST", "/operation/cancel", {"referenceId": referencia}).close()


with abrir("GET", "/operation") as resposta:  # responde sempre, também com o terminal ocupado
    agora = json.load(resposta)["operation"]
if agora:
    sys.exit(f"O terminal está ocupado: {agora['message']}")

# Única por cobrança; num totem de verdade, grave-a antes de cobrar.
referencia = f"totem-{uuid.uuid4()}"
threading.Thread(target=acompanhar, args=[referencia], daemon=True).start()
try:
    # Fica aberta até o desfecho. Com timeout, um cliente que foi embora não prende o totem.
    with abrir("POST", "/transaction", {"tPag": "17", "amount": 20.00, "referenceId": referencia, "timeout": 120}) as resposta:
        mostrar(f"Pago: R$ 20,00, NSU {json.load(resposta)['nsu']}")
except urllib.error.HTTPError as erro:
    if erro.code != 403:
        sys.exit(f"Ninguém sabe ainda ({erro.code}): consulte GET /transaction/{referencia}, como em venda.py")
    mostrar(f"Não pago: {json.load(erro)['message']}")
    sys.exit(1)
except OSError as erro:
    sys.exit(f"Ninguém sabe ainda ({erro}): consulte GET /transaction/{referencia}, como em venda.py")
