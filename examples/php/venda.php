<?php
// Uma venda inteira em PHP 8, sem extensões: abre, lança itens, pergunta o CPF, cobra, finaliza e imprime.
declare(strict_types=1);

/** O terminal respondeu, e não foi um sucesso; o código é o status HTTP. */
class Recusado extends Exception {}

/** A conexão falhou: o pedido pode ter sido atendido ou não. */
class SemResposta extends Exception {}

function enviar(string $metodo, string $caminho, ?array $corpo = null): array
{
    $url = getenv('MAQUININHA_URL') ?: 'http://localhost:9050';
    $credenciais = base64_encode((getenv('MAQUININHA_USERNAME') ?: 'admin') . ':' . getenv('MAQUININHA_PASSWORD'));
    $contexto = stream_context_create(['http' => [
        'method' => $metodo,
        'header' => ["Authorization: Basic $credenciais", 'Content-Type: application/json', 'Connection: close'],
        // O PHP escreve floats com o menor número de dígitos que os distingue: 54.24 vai como 54.24.
        'content' => $corpo === null ? '' : json_encode($corpo, JSON_THROW_ON_ERROR | JSON_UNESCAPED_UNICODE),
        // Perguntas e pagamentos esperam pela pessoa: o limite é de dez minutos, não de segundos.
        'timeout' => 600,
        'ignore_errors' => true,
    ]]);
    $http_response_header = [];
    $texto = @file_get_contents($url . $caminho, false, $contexto);
    $resposta = $texto === false ? null : json_decode($texto, true);
    if (!is_array($resposta) || !preg_match('~^HTTP/\S+ (\d+)~', $http_response_header[0] ?? '', $achado)) {
        throw new SemResposta(error_get_last()['message'] ?? 'resposta incompleta');
    }
    if ($achado[1] !== '200') {
        throw new Recusado($resposta['message'] ?? 'erro', (int) $achado[1]);
    }
    return $resposta;
}

/** Ocupado (503) recusa antes de fazer qualquer coisa: é seguro tentar de novo. */
function pedir(string $metodo, string $caminho, ?array $corpo = null): array
{
    for ($i = 0; $i < 60; $i++) {
        try {
            return enviar($metodo, $caminho, $corpo);
        } catch (Recusado $erro) {
            if ($erro->getCode() !== 503) {
                throw $erro;
            }
        }
        sleep(1);
    }
    return enviar($metodo, $caminho, $corpo);
}

/** Cobra no máximo uma vez: se a resposta se perde, pergunta pela referência antes de enviar de novo. */
function cobrar(array $cobranca): array
{
    $enviar = true;
    for ($i = 0; $i < 300; $i++) {
        try {
            if ($enviar) {
                return enviar('POST', '/transaction', $cobranca);
            }
            $transacao = enviar('GET', '/transaction/' . rawurlencode($cobranca['referenceId']));
            $situacao = $transacao['details']['status'];
            if ($situacao === 'approved') {
                return $transacao;
            }
            if ($situacao !== 'pending') {
                throw new Recusado($transacao['message'], 403);
            }
        } catch (SemResposta) {
            $enviar = false;
        } catch (Recusado $erro) {
            if ($erro->getCode() === 404 && !$enviar) {
                $enviar = true; // nunca chegou, ou espera a vez: com a mesma referência é seguro repetir
            } elseif ($erro->getCode() >= 500) {
                $enviar = false; // ocupado ou desfecho desconhecido: primeiro olha
            } else {
                throw $erro; // 403: negada ou cancelada; a mensagem diz por quê
            }
        }
        sleep(1);
    }
    throw new SemResposta('situação desconhecida: confira mais tarde pela referência, não cobre com outra');
}

function vender(): void
{
    pedir('POST', '/sale', ['sellerName' => 'Bruno']);
    pedir('POST', '/sale/item', ['id' => '1', 'code' => '7891000100103', 'description' => 'Café 500 g', 'quantity' => 2, 'unitPrice' => 18.90, 'total' => 37.80]);
    pedir('POST', '/sale/item', ['id' => '2', 'code' => '7896004000855', 'description' => 'Pão de queijo kg', 'quantity' => 0.412, 'unitPrice' => 39.90, 'total' => 16.44]);
    $centavos = 3780 + 1644; // some em centavos: 37.80 + 16.44 em ponto flutuante pode não dar 54.24
    $total = $centavos / 100;

    $cpf = 'não informado';
    try {
        $cpf = pedir('POST', '/ask', [
            'parameters' => ['showCancelButton' => true, 'buttonCancelText' => 'Sem CPF'],
            'question' => ['type' => 'CPF', 'question' => 'CPF na nota?'],
        ])['value'];
    } catch (Recusado $erro) {
        if ($erro->getCode() !== 409) { // 409: preferiu não informar
            throw $erro;
        }
    }

    // Única por cobrança; num PDV de verdade, grave-a antes de cobrar.
    $referencia = 'pedido-' . bin2hex(random_bytes(8));
    try {
        $paga = cobrar(['tPag' => '03', 'amount' => $total, 'referenceId' => $referencia]);
    } catch (Recusado $erro) {
        pedir('POST', '/sale/cancel');
        throw new Recusado("Pagamento não aprovado ($referencia): {$erro->getMessage()}", $erro->getCode());
    }

    pedir('POST', '/sale/payment', ['tPag' => 'credit', 'value' => $total]);
    pedir('POST', '/sale/finalize', ['message' => 'Obrigado, volte sempre!']);
    $reais = number_format($total, 2, ',', '.');
    pedir('POST', '/print/text', [
        ['text' => ['value' => 'Recibo', 'size' => 24, 'bold' => true, 'align' => 'center']],
        ['line' => ['divider' => true]],
        ['text' => ['value' => "Total R$ $reais"]],
        ['text' => ['value' => "CPF $cpf"]],
        ['text' => ['value' => "NSU {$paga['nsu']}"]],
    ]);
    echo "Venda concluída: R$ $reais, NSU {$paga['nsu']}, CPF $cpf\n";
}

try {
    vender();
} catch (Recusado | SemResposta $erro) {
    fwrite(STDERR, $erro->getMessage() . "\n");
    exit(1);
}
