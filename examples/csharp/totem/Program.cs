// Um PIX num totem, em C# (.NET 8), sem pacotes: mostra o código numa tela própria, acompanha o terminal e, se o cliente desiste, cancela.
//   dotnet run               espera o pagamento
//   dotnet run -- desistir   cancela quando o código aparece, como faria o botão "Cancelar" do totem
using System.Net.Http.Headers;
using System.Net.Http.Json;
using System.Text;
using System.Text.Json;

// A cobrança espera pelo cliente: sem limite no total (o padrão é 100 s), só na conexão.
using var http = new HttpClient(new SocketsHttpHandler { ConnectTimeout = TimeSpan.FromSeconds(10) })
{
    BaseAddress = new Uri(Ambiente("MAQUININHA_URL", "http://localhost:9050")),
    Timeout = Timeout.InfiniteTimeSpan,
};
var credenciais = Ambiente("MAQUININHA_USERNAME", "admin") + ":" + Ambiente("MAQUININHA_PASSWORD", "");
http.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue("Basic", Convert.ToBase64String(Encoding.UTF8.GetBytes(credenciais)));

// Responde sempre, também com o terminal ocupado.
var agora = (await http.GetFromJsonAsync<JsonElement>("/operation")).GetProperty("operation");
if (agora.ValueKind != JsonValueKind.Null)
{
    Console.Error.WriteLine($"O terminal está ocupado: {agora.GetProperty("message").GetString()}");
    return 1;
}

// Única por cobrança; num totem de verdade, grave-a antes de cobrar.
var referencia = $"totem-{Guid.NewGuid()}";
var desistir = args is ["desistir"];
_ = Acompanhar();

try
{
    // Fica aberta até o desfecho. Com timeout, um cliente que foi embora não prende o totem.
    using var recebida = await http.PostAsJsonAsync("/transaction", new { tPag = "17", amount = 20.00m, referenceId = referencia, timeout = 120 });
    var resposta = await recebida.Content.ReadFromJsonAsync<JsonElement>();
    switch ((int)recebida.StatusCode)
    {
        case 200:
            Console.WriteLine($"Pago: R$ 20,00, NSU {resposta.GetProperty("nsu").GetString()}");
            return 0;
        case 403:
            Console.WriteLine($"Não pago: {resposta.GetProperty("message").GetString()}");
            return 1;
        case var status:
            Console.Error.WriteLine($"Ninguém sabe ainda ({status}): consulte GET /transaction/{referencia}, como em venda");
            return 1;
    }
}
catch (Exception erro) when (erro is HttpRequestException or IOException or JsonException)
{
    Console.Error.WriteLine($"Ninguém sabe ainda ({erro.Message}): consulte GET /transaction/{referencia}, como em venda");
    return 1;
}

// O estado vem na hora e, depois, a cada mudança. Linhas que não começam com data: são só sinal de vida.
async Task Acompanhar()
{
    string? lido = null, pix = null;
    using var eventos = new StreamReader(await http.GetStreamAsync("/operation/stream"));
    while (await eventos.ReadLineAsync() is { } linha)
    {
        if (!linha.StartsWith("data:"))
        {
            continue;
        }
        var operacao = JsonDocument.Parse(linha[5..]).RootElement.GetProperty("operation");
        if (operacao.ValueKind == JsonValueKind.Null || operacao.GetProperty("referenceId").GetString() != referencia)
        {
            continue;
        }
        var texto = operacao.GetProperty("message").GetString();
        if (texto != lido)
        {
            Console.WriteLine($"→ {texto}");
        }
        lido = texto;
        var codigo = operacao.GetProperty("pix") is { ValueKind: JsonValueKind.Object } dados ? dados.GetProperty("code").GetString() : null;
        if (codigo is null || codigo == pix)
        {
            continue;
        }
        pix = codigo;
        Console.WriteLine($"PIX {pix}"); // aqui o totem desenha o QR Code
        if (desistir)
        {
            // Sempre pela referência, para nunca atingir o próximo cliente. É um pedido; o desfecho é o da cobrança.
            using var _ = await http.PostAsJsonAsync("/operation/cancel", new { referenceId = referencia });
        }
    }
}

static string Ambiente(string nome, string padrao) =>
    Environment.GetEnvironmentVariable(nome) is { Length: > 0 } valor ? valor : padrao;
