#!/bin/sh
# Uma venda inteira com curl: abre, lança itens, pergunta o CPF, cobra, finaliza e imprime.
set -eu

URL=${MAQUININHA_URL:-http://localhost:9050}
USUARIO=${MAQUININHA_USERNAME:-admin}
SENHA=${MAQUININHA_PASSWORD:?defina MAQUININHA_PASSWORD com a senha do terminal}

# Envia uma requisição; deixa o status em $status (000: sem resposta) e o corpo em $corpo. As credenciais vão pela entrada
# padrão, para não aparecerem na lista de processos. Sem --max-time: perguntas e pagamentos esperam pela pessoa.
enviar() {
  : >"$resposta"
  status=$(printf 'user = "%s"\n' "$(printf %s "$USUARIO:$SENHA" | sed 's/[\\"]/\\&/g')" |
    curl -s -K - --connect-timeout 10 --keepalive-time 15 -X "$1" ${3:+-H 'Content-Type: application/json' --data-raw "$3"} \
      -o "$resposta" -w '%{http_code}' "$URL$2") || status=000
  corpo=$(cat "$resposta")
}

# Ocupado (503) recusa antes de fazer qualquer coisa: é seguro tentar de novo.
pedir() {
  for _ in $(seq 60); do
    enviar "$@"
    [ "$status" = 503 ] || break
    sleep 1
  done
  [ "$status" = 200 ] || { echo "$1 $2: $status $corpo" >&2; return 1; }
}

# Cobra no máximo uma vez: se a resposta se perde, pergunta pela referência antes de enviar de novo.
cobrar() {
  enviar POST /transaction "$2"
  for _ in $(seq 300); do
    case $status in
      200) return 0 ;;
      000 | 5??) ;; # ocupado, desfecho desconhecido ou conexão perdida: veja abaixo
      *) return 1 ;; # 403: negada ou cancelada; a mensagem diz por quê
    esac
    sleep 1
    enviar GET "/transaction/$1"
    case "$status $corpo" in
      200*'"status":"pending"'*) status=503 ;; # ainda em andamento
      200*'"status":"approved"'*) return 0 ;;
      200*) return 1 ;;
      404*) enviar POST /transaction "$2" ;; # nunca chegou, ou espera a vez: com a mesma referência é seguro repetir
    esac
  done
  return 1 # situação desconhecida: confira mais tarde pela referência, não cobre com outra
}

resposta=$(mktemp)
trap 'rm -f "$resposta"' EXIT

# Única por cobrança; num PDV de verdade, grave-a antes de cobrar.
referencia="pedido-$(date +%Y%m%d%H%M%S)-$$"

pedir POST /sale '{"sellerName": "Bruno"}'
pedir POST /sale/item '{"id": "1", "code": "7891000100103", "description": "Café 500 g", "quantity": 2, "unitPrice": 18.90, "total": 37.80}'
pedir POST /sale/item '{"id": "2", "code": "7896004000855", "description": "Pão de queijo kg", "quantity": 0.412, "unitPrice": 39.90, "total": 16.44}'

# A requisição fica aberta até a pessoa responder. 409: preferiu não informar.
cpf=
if pedir POST /ask '{"parameters": {"showCancelButton": true, "buttonCancelText": "Sem CPF"}, "question": {"type": "CPF", "question": "CPF na nota?"}}' 2>/dev/null; then
  cpf=$(printf %s "$corpo" | sed 's/.*"value":"\([^"]*\)".*/\1/')
elif [ "$status" != 409 ]; then
  echo "pergunta: $status $corpo" >&2
  exit 1
fi

if ! cobrar "$referencia" "{\"tPag\": \"03\", \"amount\": 54.24, \"referenceId\": \"$referencia\"}"; then
  echo "Pagamento não aprovado ($referencia): $status $corpo" >&2
  pedir POST /sale/cancel
  exit 1
fi
nsu=$(printf %s "$corpo" | sed 's/.*"nsu":"\([^"]*\)".*/\1/')

pedir POST /sale/payment '{"tPag": "credit", "value": 54.24}'
pedir POST /sale/finalize '{"message": "Obrigado, volte sempre!"}'
pedir POST /print/text "[{\"text\": {\"value\": \"Recibo\", \"size\": 24, \"bold\": true, \"align\": \"center\"}}, {\"line\": {\"divider\": true}},
  {\"text\": {\"value\": \"Total R\$ 54,24\"}}, {\"text\": {\"value\": \"CPF ${cpf:-não informado}\"}}, {\"text\": {\"value\": \"NSU $nsu\"}}]"
echo "Venda concluída: R\$ 54,24, NSU $nsu, CPF ${cpf:-não informado}"
