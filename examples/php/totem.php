<?php
// Um PIX num totem, em PHP 8, sem extensões: mostra o código numa tela própria, acompanha o terminal e, se o cliente desiste, cancela.
//   php totem.php            espera o pagamento
//   php totem.php desistir   cancela quando o código aparece, como faria o botão "Cancelar" do totem
declare(strict_types=1);

/**
 * Envia uma requisição e não espera a resposta: a cobrança e o acompanhamento ficam abertos ao mesmo tempo. Em HTTP/1.0 a resposta
 * vem inteira, sem pedaços, e a conexão fecha no fim.
 *
 * @return resource
 */
function enviar(string $metodo, string $caminho, ?array $corpo = null)
{
    $url = parse_url(getenv('MAQUININHA_URL') ?: 'http://localhost:9050');
    $conexao = stream_socket_client("tcp://{$url['host']}:" . ($url['port'] ?? 80), $numero, $erro, 10);
    if ($conexao === false) {
        throw new RuntimeException("sem conexão: $erro");
    }
    $credenciais = base64_encode((getenv('MAQUININHA_USERNAME') ?: 'admin') . ':' . getenv('MAQUININHA_PASSWORD'));
    $texto = $corpo === null ? '' : json_encode($corpo, JSON_THROW_ON_ERROR);
    fwrite($conexao, "$metodo $caminho HTTP/1.0\r\nHost: {$url['host']}\r\nAuthorization: Basic $credenciais\r\n" .
        "Content-Type: application/json\r\nContent-Length: " . strlen($texto) . "\r\n\r\n$texto");
    return $conexao;
}

/** Lê a resposta inteira: o status e o JSON. */
function receber($conexao): array
{
    stream_set_timeout($conexao, 600); // a cobrança espera pelo cliente
    [$cabecalho, $texto] = explode("\r\n\r\n", (string) stream_get_contents($conexao), 2) + ['', ''];
    $status = preg_match('~^HTTP/\S+ (\d+)~', $cabecalho, $achado) ? (int) $achado[1] : 0;
    return [$status, json_decode($texto, true)];
}

/** Mostra o que o evento diz, uma vez cada coisa; $visto guarda o que já foi mostrado. */
function mostrar(string $linha, string $referencia, array &$visto): void
{
    // O estado vem na hora e, depois, a cada mudança. Linhas que não começam com data: são só sinal de vida.
    $operacao = str_starts_with($linha, 'data:') ? json_decode(substr($linha, 5), true)['operation'] : null;
    if ($operacao === null || $operacao['referenceId'] !== $referencia) {
        return;
    }
    if ($operacao['message'] !== $visto['texto']) {
        $visto['texto'] = $operacao['message'];
        echo "→ {$operacao['message']}\n";
    }
    $codigo = $operacao['pix']['code'] ?? null;
    if ($codigo === null || $codigo === $visto['pix']) {
        return;
    }
    $visto['pix'] = $codigo;
    echo "PIX $codigo\n"; // aqui o totem desenha o QR Code
    if (($GLOBALS['argv'][1] ?? '') === 'desistir') {
        // Sempre pela referência, para nunca atingir o próximo cliente. É um pedido; o desfecho é o da cobrança.
        receber(enviar('POST', '/operation/cancel', ['referenceId' => $referencia]));
    }
}

[, $agora] = receber(enviar('GET', '/operation')); // responde sempre, também com o terminal ocupado
if ($agora['operation'] ?? null) {
    fwrite(STDERR, "O terminal está ocupado: {$agora['operation']['message']}\n");
    exit(1);
}

// Única por cobrança; num totem de verdade, grave-a antes de cobrar.
$referencia = 'totem-' . bin2hex(random_bytes(8));
$eventos = enviar('GET', '/operation/stream');
// Fica aberta até o desfecho. Com timeout, um cliente que foi embora não prende o totem.
$cobranca = enviar('POST', '/transaction', ['tPag' => '17', 'amount' => 20.00, 'referenceId' => $referencia, 'timeout' => 120]);

$visto = ['texto' => null, 'pix' => null];
$acompanha = true;
for (;;) {
    $prontas = $acompanha ? [$eventos, $cobranca] : [$cobranca];
    $nenhuma = null;
    stream_select($prontas, $nenhuma, $nenhuma, null);
    if (in_array($eventos, $prontas, true)) {
        $linha = fgets($eventos);
        if ($linha === false) {
            $acompanha = false; // sem o acompanhamento, o pagamento segue
        } else {
            mostrar($linha, $referencia, $visto);
        }
        continue;
    }
    break;
}

[$status, $resposta] = receber($cobranca);
if ($status === 200) {
    echo "Pago: R$ 20,00, NSU {$resposta['nsu']}\n";
} elseif ($status === 403) {
    echo "Não pago: {$resposta['message']}\n";
    exit(1);
} else {
    fwrite(STDERR, "Ninguém sabe ainda ($status): consulte GET /transaction/$referencia, como em venda.php\n");
    exit(1);
}
