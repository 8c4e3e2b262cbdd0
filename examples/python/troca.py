#!/usr/bin/env python3
"""Uma troca em Python, só com a biblioteca padrão: o cliente pagou R$ 54,24 e devolve um café; R$ 18,90 voltam para ele, no máximo uma vez."""
import base64
import json
import os
import sys
import time
import urllib.error
import urllib.request
import uuid
from decimal import Decimal
from http.client import HTTPException

URL = os.environ.get("MAQUININHA_URL", "http://localhost:9050")
USUARIO = os.environ.get("MAQUININHA_USERNAME", "admin")
SENHA = os.environ["MAQUININHA_PASSWORD"]
CREDENCIAIS = "Basic " + base64.b64encode(f"{USUARIO}:{SENHA}".encode()).decode()


def enviar(caminho, corpo):
    pedido = urllib.request.Request(URL + caminho, json.dumps(corpo).encode(), {"Authorization": CREDENCIAIS, "Content-Type": "application/json"})
    with urllib.request.urlopen(pedido, timeout=600) as resposta:  # espera por quem confirma no terminal
        return json.load(resposta, parse_float=Decimal)


def devolver(referencia, valor, reversal_id):
    """Com o mesmo reversalId e o mesmo valor é sempre seguro repetir: se a devolução já foi feita, a resposta é ela."""
    for _ in range(300):
        try:
            return enviar(f"/transaction/{referencia}/reversal", {"amount": valor, "reversalId": reversal_id})
        except urllib.error.HTTPError as erro:
            if erro.code < 500:
                raise  # 403: negado ou cancelado; 409: resta menos do que isso, ou o adquirente só devolve tudo
        except (OSError, HTTPException, ValueError):
            pass  # a conexão caiu: pode ter sido devolvido ou não
        time.sleep(1)
    sys.exit(f"Ninguém sabe ainda: repita mais tarde com o mesmo reversalId, {reversal_id}")


try:
    # A compra; como cobrar sem perder a resposta está em venda.py.
    referencia = f"pedido-{uuid.uuid4()}"
    enviar("/transaction", {"tPag": "03", "amount": 54.24, "referenceId": referencia})
    # Único por devolução; num PDV de verdade, grave-o antes de devolver.
    troca = f"troca-{referencia}-1"
    detalhes = devolver(referencia, 18.90, troca)["details"]
except urllib.error.HTTPError as erro:
    sys.exit(f"Não feito: {erro.code} {json.load(erro)['message']}")
nsu = next(estorno["nsu"] for estorno in detalhes["reversals"] if estorno["reversalId"] == troca)
print(f"Troca concluída: R$ {detalhes['reversed']:.2f} de R$ 54.24 devolvidos, NSU {nsu}".replace(".", ","))
