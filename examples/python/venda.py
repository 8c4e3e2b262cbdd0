#!/usr/bin/env python3
"""Uma venda inteira em Python, só com a biblioteca padrão: abre, lança itens, pergunta o CPF, cobra, finaliza e imprime."""
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


class SemResposta(Exception):
    """A conexão falhou: o pedido pode ter sido atendido ou não."""


class Recusado(Exception):
    def __init__(self, status, mensagem):
        super().__init__(mensagem)
        self.status = status


def enviar(metodo, caminho, corpo=None):
    # Até 15 dígitos, o float de um Decimal é escrito com os mesmos dígitos: 54.24 vai como 54.24.
    dados = None if corpo is None else json.dumps(corpo, default=float).encode()
    pedido = urllib.request.Request(URL + caminho, dados, {"Authorization": CREDENCIAIS, "Content-Type": "application/json"}, method=metodo)
    try:
        # Perguntas e pagamentos esperam pela pessoa: o limite é de dez minutos, não de segundos.
        with urllib.request.urlopen(pedido, timeout=600) as resposta:
            return json.load(resposta, parse_float=Decimal)
    except urllib.error.HTTPError as erro:
        texto = erro.read().decode(errors="replace")
        raise Recusado(erro.code, json.loads(texto)["message"] if texto.startswith("{") else texto) from None
    except (OSError, HTTPException, ValueError) as erro:
        raise SemResposta(str(erro)) from erro


def pedir(metodo, caminho, corpo=None):
    """Ocupado (503) recusa antes de fazer qualquer coisa: é seguro tentar de novo."""
    for _ in range(60):
        try:
            return enviar(metodo, caminho, corpo)
        except Recusado as erro:
            if erro.status != 503:
                raise
        time.sleep(1)
    return enviar(metodo, caminho, corpo)


def cobrar(cobranca):
    """Cobra no máximo uma vez: se a resposta se perde, pergunta pela referência antes de enviar de novo."""
    enviar_de_novo = True
    for _ in range(300):
        try:
            if enviar_de_novo:
                return enviar("POST", "/transaction", cobranca)
            transacao = enviar("GET", "/transaction/" + cobranca["referenceId"])
            situacao = transacao["details"]["status"]
            if situacao == "approved":
                return transacao
            if situacao != "pending":
                raise Recusado(403, transacao["message"])
        except SemResposta:
            enviar_de_novo = False
        except Recusado as erro:
            if erro.status == 404 and not enviar_de_novo:
                enviar_de_novo = True  # nunca chegou, ou espera a vez: com a mesma referência é seguro repetir
            elif erro.status >= 500:
                enviar_de_novo = False  # ocupado ou desfecho desconhecido: primeiro olha
            else:
                raise  # 403: negada ou cancelada; a mensagem diz por quê
        time.sleep(1)
    raise SemResposta("situação desconhecida: confira mais tarde pela referência, não cobre com outra")


def vender():
    itens = [
        {"id": "1", "code": "7891000100103", "description": "Café 500 g", "quantity": 2, "unitPrice": Decimal("18.90"), "total": Decimal("37.80")},
        {"id": "2", "code": "7896004000855", "description": "Pão de queijo kg", "quantity": Decimal("0.412"), "unitPrice": Decimal("39.90"), "total": Decimal("16.44")},
    ]
    pedir("POST", "/sale", {"sellerName": "Bruno"})
    for item in itens:
        pedir("POST", "/sale/item", item)
    total = sum(item["total"] for item in itens)

    cpf = "não informado"
    try:
        parametros = {"showCancelButton": True, "buttonCancelText": "Sem CPF"}
        cpf = pedir("POST", "/ask", {"parameters": parametros, "question": {"type": "CPF", "question": "CPF na nota?"}})["value"]
    except Recusado as erro:
        if erro.status != 409:  # 409: preferiu não informar
            raise

    # Única por cobrança; num PDV de verdade, grave-a antes de cobrar.
    referencia = f"pedido-{uuid.uuid4()}"
    try:
        paga = cobrar({"tPag": "03", "amount": total, "referenceId": referencia})
    except Recusado as erro:
        pedir("POST", "/sale/cancel")
        sys.exit(f"Pagamento não aprovado ({referencia}): {erro}")

    pedir("POST", "/sale/payment", {"tPag": "credit", "value": total})
    pedir("POST", "/sale/finalize", {"message": "Obrigado, volte sempre!"})
    reais = f"{total:.2f}".replace(".", ",")
    pedir("POST", "/print/text", [
        {"text": {"value": "Recibo", "size": 24, "bold": True, "align": "center"}},
        {"line": {"divider": True}},
        {"text": {"value": f"Total R$ {reais}"}},
        {"text": {"value": f"CPF {cpf}"}},
        {"text": {"value": f"NSU {paga['nsu']}"}},
    ])
    print(f"Venda concluída: R$ {reais}, NSU {paga['nsu']}, CPF {cpf}")


try:
    vender()
except (Recusado, SemResposta) as erro:
    sys.exit(str(erro))
