#!/bin/sh
# Um PIX num totem, com curl: mostra o código numa tela própria, acompanha o terminal e, se o cliente desiste, cancela.
#   totem.sh            espera o pagamento
#   totem.sh desistir   cancela quando o código aparece, como faria o botão "Cancelar" do totem
set -eu

URL=${MAQUININHA_URL:-http://localhost:9050}
USUARIO=${MAQUININHA_USERNAME:-admin}
SENHA=${MAQUININHA_PASSWORD:?defina MAQUININHA_PASSWORD com a senha do terminal}
desistir=${1:-}

pasta=$(mktemp -d) # só deste usuário
stream=
trap '[ -z "$stream" ] || kill "$stream" 2>/dev/null || :; rm -rf "$pasta"' EXIT
printf 'user = "%s"\n' "$(printf %s "$USUARIO:$SENHA" | sed 's/[\\"]/\\&/g')" >"$pasta/senha" # não aparece na lista de processos

# Única por cobrança; num totem de verdade, grave-a antes de cobrar.
referencia="totem-$(date +%Y%m%d%H%M%S)-$$"

pdv() { curl -s -K "$pasta/senha" --connect-timeout 10 -H 'Content-Type: application/json' "$@"; }
campo() { printf %s "$2" | sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p"; }

# Ler: responde sempre, também com o terminal ocupado.
agora=$(pdv "$URL/operation")
if [ "$agora" != '{"operation":null}' ]; then
  echo "O terminal está ocupado: $(campo message "$agora")" >&2
  exit 1
fi

# Acompanhar: o estado vem na hora e, depois, a cada mudança. Linhas que não começam com data: são só sinal de vida.
mostrar() {
  lido='' pix=''
  while IFS= read -r linha; do
    case $linha in data:*"\"referenceId\":\"$referencia\""*) ;; *) continue ;; esac
    texto=$(campo message "$linha")
    [ "$texto" = "$lido" ] || echo "→ $texto"
    lido=$texto
    codigo=$(campo code "$linha")
    [ "$codigo" != "$pix" ] || continue
    pix=$codigo
    echo "PIX $codigo" # aqui o totem desenha o QR Code
    # Cancelar: sempre pela referência, para nunca atingir o próximo cliente. É um pedido; o desfecho é o da cobrança, abaixo.
    [ "$desistir" != desistir ] || pdv -X POST -d "{\"referenceId\": \"$referencia\"}" -o /dev/null "$URL/operation/cancel"
  done
}
mkfifo "$pasta/eventos"
curl -sN -K "$pasta/senha" "$URL/operation/stream" >"$pasta/eventos" &
stream=$!
mostrar <"$pasta/eventos" &
tela=$!

# Cobrar: a requisição fica aberta até o desfecho. Com timeout, um cliente que foi embora não prende o totem.
status=$(pdv -X POST -d "{\"tPag\": \"17\", \"amount\": 20.00, \"referenceId\": \"$referencia\", \"timeout\": 120}" \
  -o "$pasta/resposta" -w '%{http_code}' "$URL/transaction") || status=000
kill "$stream" 2>/dev/null || :
wait "$tela" || :

case $status in
  200) echo "Pago: R\$ 20,00, NSU $(campo nsu "$(cat "$pasta/resposta")")" ;;
  403) echo "Não pago: $(campo message "$(cat "$pasta/resposta")")"; exit 1 ;;
  *) echo "Ninguém sabe ainda ($status): consulte GET /transaction/$referencia, como em venda.sh" >&2; exit 1 ;;
esac
