#!/bin/sh
# Uma troca com curl: o cliente pagou R$ 54,24 e devolve um café; R$ 18,90 voltam para ele, no máximo uma vez.
set -eu

URL=${MAQUININHA_URL:-http://localhost:9050}
USUARIO=${MAQUININHA_USERNAME:-admin}
SENHA=${MAQUININHA_PASSWORD:?defina MAQUININHA_PASSWORD com a senha do terminal}

pasta=$(mktemp -d) # só deste usuário
trap 'rm -rf "$pasta"' EXIT
printf 'user = "%s"\n' "$(printf %s "$USUARIO:$SENHA" | sed 's/[\\"]/\\&/g')" >"$pasta/senha" # não aparece na lista de processos

# Envia uma requisição; deixa o status em $status (000: sem resposta) e o corpo em $corpo. Sem --max-time: alguém confirma no terminal.
enviar() {
  : >"$pasta/resposta"
  status=$(curl -s -K "$pasta/senha" --connect-timeout 10 -X POST -H 'Content-Type: application/json' --data-raw "$2" \
    -o "$pasta/resposta" -w '%{http_code}' "$URL$1") || status=000
  corpo=$(cat "$pasta/resposta")
}

# Com o mesmo reversalId e o mesmo valor é sempre seguro repetir: se a devolução já foi feita, a resposta é ela.
devolver() {
  for _ in $(seq 300); do
    enviar "/transaction/$1/reversal" "{\"amount\": $2, \"reversalId\": \"$3\"}"
    case $status in
      200) return 0 ;;
      000 | 5??) sleep 1 ;; # ocupado, desfecho desconhecido ou conexão perdida
      *) return 1 ;; # 403: negado ou cancelado; 409: resta menos do que isso, ou o adquirente só devolve tudo
    esac
  done
  return 1 # ninguém sabe ainda: repita mais tarde com o mesmo reversalId
}

# A compra; como cobrar sem perder a resposta está em venda.sh.
referencia="pedido-$(date +%Y%m%d%H%M%S)-$$"
enviar /transaction "{\"tPag\": \"03\", \"amount\": 54.24, \"referenceId\": \"$referencia\"}"
[ "$status" = 200 ] || { echo "Pagamento não aprovado: $status $corpo" >&2; exit 1; }

# Único por devolução; num PDV de verdade, grave-o antes de devolver.
troca="troca-$referencia-1"
if ! devolver "$referencia" 18.90 "$troca"; then
  echo "Não devolvido: $status $corpo" >&2
  exit 1
fi
nsu=$(printf %s "$corpo" | sed "s/.*\"reversalId\":\"$troca\",\"nsu\":\"\([^\"]*\)\".*/\1/")
total=$(printf %s "$corpo" | sed 's/.*"reversed":\([0-9.]*\).*/\1/' | tr . ,)
echo "Troca concluída: R\$ $total de R\$ 54,24 devolvidos, NSU $nsu"
